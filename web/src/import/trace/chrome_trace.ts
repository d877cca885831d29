/**
 * Memory as Chrome traces draw it, after one convention of two projects: an event "X" for each tensor and step, ts its offset, dur its size, pid its
 * memory, tid the step. ExecuTorch (generate_memory_trace in util/activation_memory_profiler.py) and ONNX Runtime (core/framework/memory_info.cc,
 * with --enable_memory_profile), whose processes have names and whose "Summary" rows lie at negative ts. A name may come back: consecutive steps
 * at the same place are one buffer.
 */
import type { Imported } from '../imported'
import { Names, plainName } from '../names'
import { Refusal } from '../refusal'
import type { Source } from '../source'
import { bufferCsv, choose, type Row } from '../text/buffer_rows'
import { head, looksLikeJson, textOf } from '../text/sniff'

const MOST = 1 << 22
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

function whole(value: unknown, what: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw new Refusal(`${what} is no whole number that can be counted exactly.`)
}

function eventsOf(text: string): readonly unknown[] {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch (error) {
    throw new Refusal(`the JSON cannot be read: ${error instanceof Error ? error.message : String(error)}.`)
  }
  const events = isObject(read) ? read.traceEvents : read
  if (!Array.isArray(events)) throw new Refusal('“traceEvents” is no list.')
  if (events.length > MOST) throw new Refusal(`there are ${events.length} events, at most ${MOST} can be read.`)
  return events
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
}

function traceOf(events: readonly unknown[]): Trace {
  const places = new Map<string, Place>()
  const memories = new Map<number, string>()
  for (const [k, event] of events.entries()) {
    if (!isObject(event)) throw new Refusal(`event ${k} is no object.`)
    const { ph, name, ts, dur, pid, tid, args } = event
    if (ph === 'M' && name === 'process_name' && typeof pid === 'number') memories.set(pid, said(args, 'name'))
    if (ph !== 'X' || typeof name !== 'string') continue
    // a summary of ONNX Runtime's
    if (typeof ts === 'number' && ts < 0) continue
    const offset = whole(ts, `ts of event ${k}`)
    const bytes = whole(dur, `dur of event ${k}`)
    const memory = whole(pid, `pid of event ${k}`)
    const time = whole(tid, `tid of event ${k}`)
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
  return { places: [...places.values()], memories }
}

function rowsOf(places: readonly Place[]): Row[] {
  const names = new Names()
  return places.flatMap(({ name, offset, bytes, source, times }) => {
    const sorted = [...new Set(times)].sort((a, b) => a - b)
    const runs: [number, number][] = []
    for (const time of sorted) {
      const last = runs.at(-1)
      if (last !== undefined && time === last[1]) last[1]++
      else runs.push([time, time + 1])
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
  const { places, memories } = traceOf(eventsOf(textOf(source)))
  const byPid = new Map<number, Place[]>()
  for (const place of places) {
    const own = byPid.get(place.pid)
    if (own === undefined) byPid.set(place.pid, [place])
    else own.push(place)
  }
  const parts = [...byPid]
    .map(([pid, own]) => {
      const named = memories.get(pid) ?? ''
      return { name: named === '' ? `memory ${pid}` : `memory ${pid}: ${named}`, rows: rowsOf(own) }
    })
    .sort((a, b) => b.rows.length - a.rows.length)
  const found = choose(parts, part)
  if (found === null)
    throw new Refusal(
      'no event of the trace is memory. ExecuTorch writes such a trace with generate_memory_trace(…, enable_memory_offsets=True), ONNX Runtime with --enable_memory_profile.',
    )
  const { name, rows } = found.chosen
  return {
    ok: true,
    format: 'chrome-trace',
    csv: bufferCsv(rows, [], 'op'),
    notes: [
      `Read: ${name}. ts is the offset, dur the size, tid the time; steps that follow each other at the same place are one buffer.`,
    ],
    parts: found.names,
    part: name,
    plan: { name: 'the trace', offsets: rows.map(({ offset }) => offset) },
  }
}
