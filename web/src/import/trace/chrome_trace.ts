/**
 * Memory as Chrome traces draw it, after one convention of two projects: an event "X" for each tensor and step, ts its offset, dur its size, pid its
 * memory, tid the step. ExecuTorch (generate_memory_trace in util/activation_memory_profiler.py) and ONNX Runtime (core/framework/memory_info.cc,
 * with --enable_memory_profile), whose processes have names and whose "Summary" rows lie at negative ts. A name may come back: consecutive steps
 * at the same place are one buffer. ONNX Runtime shows only steps at which a life begins or ends, each with a Summary: there the next one shown is
 * the next.
 */
import type { Imported } from '../imported'
import { Names, plainName } from '../names'
import { Refusal } from '../refusal'
import type { Source } from '../source'
import { bufferCsv, choose, type Row } from '../text/buffer_rows'
import { head, looksLikeJson, textOf } from '../text/sniff'

const MOST = 1 << 22
const HOW =
  'ExecuTorch writes such a trace with generate_memory_trace(…, enable_memory_offsets=True), ONNX Runtime with --enable_memory_profile.'
const EVENT = /"ph"\s*:\s*"[A-Za-z]"/

export function isChromeTrace(source: Source): boolean {
  if (!looksLikeJson(source)) return false
  const text = head(source)
  return (
    /^\s*\{[^[{]*"traceEvents"\s*:\s*\[/.test(text) ||
    /"traceEvents"\s*:\s*\[\s*\{/.test(text) ||
    (/^\s*\[/.test(text) && EVENT.test(text))
  )
}

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** At one place under one name, in one memory. */
interface Place {
  name: string
  pid: number
  offset: number
  bytes: number
  source: string
  times: number[]
}

/** The format lets numbers of processes and threads be texts. */
function whole(value: unknown, what: string): number {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number
  throw new Refusal(
    `${what} is no whole number that can be counted exactly. In a memory trace ts is an offset and dur a size; one of times is none.`,
  )
}

/** The ends of events that a list without an end is cut at, from behind: the last brace may be one of its inside. */
const CUTS = 4

/** The format lets the list go without its end, as it does where the writer was stopped. undefined: it is no such list. */
function unended(text: string): unknown {
  let end = text.length
  for (let k = 0; k < CUTS; k++) {
    end = text.lastIndexOf('}', end - 1)
    if (end < 0) return undefined
    for (const closing of [']', ']}']) {
      try {
        return JSON.parse(text.slice(0, end + 1) + closing)
      } catch {
        // the brace before it, then
      }
    }
  }
  return undefined
}

interface Events {
  events: readonly unknown[]
  cut: boolean
}

function eventsOf(text: string): Events {
  let [read, cut]: [unknown, boolean] = [undefined, false]
  try {
    read = JSON.parse(text)
  } catch (error) {
    ;[read, cut] = [unended(text.trimEnd()), true]
    if (read === undefined)
      throw new Refusal(`the JSON cannot be read: ${error instanceof Error ? error.message : String(error)}.`)
  }
  const events = isObject(read) ? read.traceEvents : read
  if (!Array.isArray(events)) throw new Refusal('“traceEvents” is no list.')
  if (events.length > MOST) throw new Refusal(`there are ${events.length} events, at most ${MOST} can be read.`)
  return { events, cut }
}

function said(args: unknown, ...names: string[]): string {
  if (!isObject(args)) return ''
  for (const name of names) {
    const value = args[name]
    if (typeof value === 'string' && value !== '' && value !== 'None')
      return plainName(value.trim().split(/\r?\n/).at(-1) ?? '')
  }
  return ''
}

interface Trace {
  places: Place[]
  /** names of memories, where the trace has them */
  memories: Map<number, string>
  /** steps by memory, where the trace sums them up */
  steps: Map<number, Set<number>>
}

/** What ONNX Runtime's profile of time and others' are made of. */
const TIMES = new Set(['Session', 'Node', 'Kernel', 'Api', 'cpu_op', 'kernel', 'user_annotation', 'python_function'])

function traceOf(events: readonly unknown[]): Trace {
  const places = new Map<string, Place>()
  const memories = new Map<number, string>()
  const steps = new Map<number, Set<number>>()
  for (const [k, event] of events.entries()) {
    if (!isObject(event)) throw new Refusal(`event ${k} is no object.`)
    const { ph, name, ts, dur, pid, tid, args, cat } = event
    if (ph === 'M' && name === 'process_name') memories.set(Number(pid), said(args, 'name'))
    if (ph !== 'X' || typeof name !== 'string') continue
    if (typeof cat === 'string' && TIMES.has(cat))
      throw new Refusal(`event ${k} is of “${cat}”: this is a trace of times, not of memory. ${HOW}`)
    const memory = whole(pid, `pid of event ${k}`)
    const time = whole(tid, `tid of event ${k}`)
    // a summary of ONNX Runtime's
    if (typeof ts === 'number' && ts < 0) {
      steps.set(memory, (steps.get(memory) ?? new Set()).add(time))
      continue
    }
    const offset = whole(ts, `ts of event ${k}`)
    const bytes = whole(dur, `dur of event ${k}`)
    if (bytes === 0) continue
    const key = `${memory} ${offset} ${bytes} ${name}`
    const place = places.get(key)
    if (place !== undefined) place.times.push(time)
    else
      places.set(key, {
        name,
        pid: memory,
        offset,
        bytes,
        source: said(args, 'fqn', 'op_name', 'source'),
        times: [time],
      })
  }
  return { places: [...places.values()], memories, steps }
}

/** The step after each. */
function nextOf(places: readonly Place[], steps: ReadonlySet<number> | undefined): (time: number) => number {
  if (steps === undefined || places.some(({ times }) => times.some((time) => !steps.has(time))))
    return (time) => time + 1
  const sorted = [...steps].sort((a, b) => a - b)
  const next = new Map(sorted.map((time, k) => [time, sorted[k + 1] ?? time + 1]))
  return (time) => next.get(time) ?? time + 1
}

function rowsOf(places: readonly Place[], next: (time: number) => number): Row[] {
  const names = new Names()
  return places.flatMap(({ name, offset, bytes, source, times }) => {
    const sorted = [...new Set(times)].sort((a, b) => a - b)
    const runs: [number, number][] = []
    for (const time of sorted) {
      const last = runs.at(-1)
      if (last !== undefined && time === last[1]) last[1] = next(time)
      else runs.push([time, next(time)])
    }
    return runs.map(
      ([lower, upper]): Row => ({
        id: names.take(plainName(name), 'tensor'),
        lower,
        upper,
        bytes,
        offset,
        from: source,
      }),
    )
  })
}

export function readChromeTrace(source: Source, { part }: { part?: string | undefined }): Imported {
  const { events, cut } = eventsOf(textOf(source))
  const { places, memories, steps } = traceOf(events)
  const byPid = new Map<number, Place[]>()
  for (const place of places) {
    const own = byPid.get(place.pid)
    if (own === undefined) byPid.set(place.pid, [place])
    else own.push(place)
  }
  const parts = [...byPid]
    .map(([pid, own]) => {
      const named = memories.get(pid) ?? ''
      return {
        name: named === '' ? `memory ${pid}` : `memory ${pid}: ${named}`,
        rows: rowsOf(own, nextOf(own, steps.get(pid))),
        once: own.every(({ times }) => times.every((time) => time === own[0]?.times[0])),
        summed: steps.has(pid),
      }
    })
    .sort((a, b) => b.rows.length - a.rows.length)
  const found = choose(parts, part)
  if (found === null) throw new Refusal(`no event of the trace is memory. ${HOW}`)
  const { name, rows, once, summed } = found.chosen
  const notes = [
    `Read: ${name}. ts is the offset, dur the size, tid the time; steps that follow each other at the same place are one buffer.`,
  ]
  if (cut) notes.push('The trace has no end: it is read up to its last whole event.')
  if (once) {
    const why = summed ? ' (of the whole run ONNX Runtime shows the fullest)' : ''
    notes.push(`Only one step is in it${why}: all are alive together.`)
  }
  return {
    ok: true,
    format: 'chrome-trace',
    csv: bufferCsv(rows, [], 'op'),
    notes,
    parts: found.names,
    part: name,
    plan: { name: 'the trace', offsets: rows.map(({ offset }) => offset) },
  }
}
