/**
 * PyTorch's snapshots of its caching allocator (torch.cuda.memory._record_memory_history, _dump_snapshot; docs/source/torch_cuda_memory.md):
 *
 *     { segments: [{ device, address, total_size, blocks: [{ address, size, state, frames }] }],
 *       device_traces: [[{ action, addr, size, frames: [{ filename, line, name }] }]] }     a trace for each device
 *
 * An allocation is alive from its event to that of "free_completed" of the same address. Blocks that were there before the recording began, whose
 * "alloc" is not in the trace, are alive from the beginning. Before release 2.1 a block had no address, being where the one before it ends, its
 * frames in a "history", and before 2.0 there were no traces: of the segments alone what was there at the end can be read. An address becomes an offset by the segments in use, laid end to end.
 */
import type { Imported } from '../imported'
import { Refusal } from '../refusal'
import type { Source } from '../source'
import { bufferCsv, choose, peakNote, type Row } from '../text/buffer_rows'
import { unpickle, type Value } from './pickle'

/** Events in all, and frames that one event is searched for its line of Python. */
const MOST = 1 << 22
const MOST_FRAMES = 1 << 10
const MOST_BYTES = 2 ** 30
const ALIGNMENT = 512
/** Where a block comes from whose allocation was not recorded. */
const EARLIER = 'before the recording'

export function isPickle(source: Source): boolean {
  if (source.size < 4) return false
  const [first = 0, second = 0, third = 0] = source.read(0, 3)
  if (first === 0x80) return second >= 2 && second <= 5
  // protocols 0 and 1 have no mark of their own: a dictionary or a list that is kept as the first, “(dp0” or “}q”
  const kept = String.fromCharCode(first, second, third)
  return kept === '(dp' || kept === '(lp' || kept === '}q\0' || kept === ']q\0'
}

const bytesText = (bytes: number) => `${bytes.toLocaleString('en')} bytes`

type Dict = ReadonlyMap<Value, Value>

function dict(value: Value | undefined, place: string): Dict {
  if (value instanceof Map) return value
  throw new Refusal(`${place} is no dictionary.`)
}
function list(value: Value | undefined, place: string): readonly Value[] {
  if (Array.isArray(value)) return value
  throw new Refusal(`${place} is no list.`)
}
function count(value: Value | undefined, place: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw new Refusal(`${place} is no whole number that can be counted exactly.`)
}

/** A piece of the device's memory that the allocator has. */
interface Extent {
  from: number
  to: number
  /** where it begins when all are laid end to end */
  offset: number
}

interface Block {
  address: number
  size: number
  from: string
}

interface Event {
  action: string
  address: number
  size: number
  /** only of what is allocated */
  from: string
  free: number
}

interface Device {
  number: number
  events: readonly Event[]
  extents: readonly Extent[]
  /** in use at the end */
  blocks: readonly Block[]
  /** bytes of the segments at the end */
  total: number
}

/** The innermost line of Python outside of PyTorch itself, else the innermost of all. */
function lineOf(frames: Value | undefined): string {
  if (!Array.isArray(frames)) return ''
  let inner = ''
  for (const frame of frames.slice(0, MOST_FRAMES)) {
    if (!(frame instanceof Map)) continue
    const [file, line, name] = [frame.get('filename'), frame.get('line'), frame.get('name')]
    if (typeof file !== 'string' || !file.endsWith('.py')) continue
    const said = `${file.slice(file.lastIndexOf('/') + 1)}:${String(line)} ${String(name)}`
    if (!/[/\\](site-packages|dist-packages|torch)[/\\]/.test(file)) return said
    if (inner === '') inner = said
  }
  return inner
}

function eventsOf(trace: readonly Value[], device: number): Event[] {
  return trace.map((value, k): Event => {
    const place = `event ${k} of device ${device}`
    const event = dict(value, place)
    const action = event.get('action')
    if (typeof action !== 'string') throw new Refusal(`${place} has no action.`)
    const oom = action === 'oom'
    const known = /^(alloc|free_completed|segment_(alloc|free|map|unmap))$/.test(action)
    return {
      action,
      address: known ? count(event.get('addr'), `addr of ${place}`) : 0,
      size: known || oom ? count(event.get('size'), `size of ${place}`) : 0,
      from: action === 'alloc' || oom ? lineOf(event.get('frames')) : '',
      // older snapshots have it in addr
      free: oom ? count(event.get('device_free') ?? event.get('addr') ?? 0, `device_free of ${place}`) : 0,
    }
  })
}

/** Those that the allocator has at the end, and what it had meanwhile: overlapping ones are one. */
function extentsOf(pieces: [number, number][]): Extent[] {
  const extents: Extent[] = []
  for (const [from, to] of pieces.sort((a, b) => a[0] - b[0])) {
    const last = extents.at(-1)
    if (last !== undefined && from < last.to) last.to = Math.max(last.to, to)
    else extents.push({ from, to, offset: 0 })
  }
  let offset = 0
  for (const extent of extents) {
    extent.offset = offset
    offset += extent.to - extent.from
  }
  return extents
}

/** Those in use. */
function blocksOf(all: readonly Value[], start: number, segment: string): Block[] {
  let next = start
  return all.flatMap((value, b) => {
    const place = `block ${b} of ${segment}`
    const block = dict(value, place)
    const address = count(block.get('address') ?? next, `address of ${place}`)
    const size = count(block.get('size'), `size of ${place}`)
    next = address + size
    if (block.get('state') === 'inactive') return []
    const [last] = list(block.get('history') ?? [], `history of ${place}`)
    const frames = block.get('frames') ?? (last instanceof Map ? last.get('frames') : undefined)
    return [{ address, size, from: lineOf(frames) }]
  })
}

function devicesIn(snapshot: Dict): Device[] {
  const traces = list(snapshot.get('device_traces') ?? [], '“device_traces”').map((trace, k) =>
    list(trace, `trace ${k}`),
  )
  const segments = list(snapshot.get('segments'), '“segments”').map((one, k) => dict(one, `segment ${k}`))
  const events = traces.reduce((sum, trace) => sum + trace.length, 0)
  if (events > MOST || segments.length > MOST) throw new Refusal(`there are more than ${MOST} events or segments.`)
  let blocks = 0
  const numbers = new Set([...traces.keys(), ...segments.map((one) => count(one.get('device') ?? 0, 'a device'))])
  return [...numbers].map((number): Device => {
    const own = segments.filter((one) => (one.get('device') ?? 0) === number)
    const pieces = own.map((one, k): [number, number] => {
      const from = count(one.get('address'), `address of segment ${k}`)
      return [from, from + count(one.get('total_size'), `total_size of segment ${k}`)]
    })
    const total = pieces.reduce((sum, [from, to]) => sum + to - from, 0)
    const told = eventsOf(traces[number] ?? [], number)
    for (const { action, address, size } of told)
      if (action === 'segment_alloc' || action === 'segment_map') pieces.push([address, address + size])
    const used = own.flatMap((segment, k) => {
      const all = list(segment.get('blocks') ?? [], `blocks of segment ${k}`)
      blocks += all.length
      if (blocks > MOST) throw new Refusal(`there are more than ${MOST} blocks.`)
      return blocksOf(all, pieces[k]?.[0] ?? 0, `segment ${k}`)
    })
    return { number, events: told, extents: extentsOf(pieces), blocks: used, total }
  })
}

interface Lives {
  rows: Row[]
  /** how many of them were there before the recording */
  before: number
}

function livesOf({ events, extents, blocks }: Device): Lives {
  const offsetOf = (address: number, size: number): number | null => {
    let [low, high] = [0, extents.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((extents[middle]?.to ?? 0) <= address) low = middle + 1
      else high = middle
    }
    const extent = extents[low]
    return extent !== undefined && extent.from <= address && address + size <= extent.to
      ? extent.offset + address - extent.from
      : null
  }
  const end = Math.max(1, events.length)
  const rows: Row[] = []
  const alive = new Map<number, Row>()
  const seen = new Set<number>()
  const old: Row[] = []
  const earlier = (id: string, { address, size, from }: Block, upper: number) => {
    if (size > 0)
      old.push({
        id,
        lower: 0,
        upper,
        bytes: size,
        offset: offsetOf(address, size),
        alignment: ALIGNMENT,
        from: from || EARLIER,
      })
  }
  for (const [k, event] of events.entries()) {
    const { action, address, size } = event
    if (action === 'alloc') {
      seen.add(address)
      if (size === 0) continue
      const offset = offsetOf(address, size)
      const row = { id: `a${k}`, lower: k, upper: end, bytes: size, offset, alignment: ALIGNMENT, from: event.from }
      rows.push(row)
      alive.set(address, row)
    } else if (action === 'free_completed') {
      const row = alive.get(address)
      if (row !== undefined) {
        row.upper = k
        alive.delete(address)
      } else if (!seen.has(address)) {
        seen.add(address)
        if (k > 0) earlier(`freed${k}`, event, k)
      }
    }
  }
  for (const [k, block] of blocks.entries()) if (!seen.has(block.address)) earlier(`block${k}`, block, end)
  return { rows: [...old, ...rows], before: old.length }
}

/** The most that the allocator had: back from the end, over what it took and gave back. */
function mostReserved({ events, total }: Device): number {
  let now = total
  let most = now
  for (const { action, size } of events.toReversed()) {
    if (action === 'segment_alloc' || action === 'segment_map') now -= size
    else if (action === 'segment_free' || action === 'segment_unmap') now += size
    most = Math.max(most, now)
  }
  return most
}

/** The first time that memory ran out, and whether a plan would have had room. */
function outOfMemory({ events }: Device, rows: readonly Row[], reserved: number): string[] {
  const at = events.findIndex(({ action }) => action === 'oom')
  const event = events[at]
  if (event === undefined) return []
  const alive = rows.reduce((sum, { lower, upper, bytes }) => (lower <= at && at < upper ? sum + bytes : sum), 0)
  const times = events.filter(({ action }) => action === 'oom').length
  const where = event.from === '' ? '' : ` by ${event.from}`
  const need = alive + event.size
  const verdict =
    need <= reserved + event.free
      ? `Together that is ${bytesText(need)}, and ${bytesText(reserved + event.free)} were there: it was fragmentation.`
      : `Together that is ${bytesText(need)}, more than the ${bytesText(reserved + event.free)} that were there: it was truly too much.`
  return [
    `Out of memory ${times === 1 ? '' : `${times} times, first `}at event ${at}: ${bytesText(event.size)} were asked for${where} while ${bytesText(alive)} were alive. ${verdict}`,
  ]
}

const nameOf = ({ number }: Device, without: boolean) =>
  `device ${number}${without ? ', only what was allocated during the recording' : ''}`

export function readSnapshot(source: Source, { part }: { part?: string | undefined }): Imported {
  if (source.size > MOST_BYTES) throw new Refusal(`the pickle is longer than ${MOST_BYTES} bytes.`)
  const read = unpickle(source.read(0, source.size))
  // torch.cuda.memory_snapshot() has the segments alone
  const segments = Array.isArray(read) && read.every((one) => one instanceof Map && one.has('total_size'))
  const snapshot = segments && read.length > 0 ? new Map<Value, Value>([['segments', read]]) : read
  if (!(snapshot instanceof Map) || !snapshot.has('segments'))
    throw new Refusal(
      'this pickle is no snapshot of PyTorch’s allocator: it has no “segments”. torch.cuda.memory._dump_snapshot writes one.',
    )
  const devices = devicesIn(snapshot)
    .map((device) => ({ device, ...livesOf(device) }))
    .filter(({ rows }) => rows.length > 0)
    .sort((a, b) => b.device.events.length - a.device.events.length)
  const parts = devices.flatMap(({ device, rows, before }) => [
    { name: nameOf(device, false), device, rows, before },
    ...(before > 0 && before < rows.length
      ? [{ name: nameOf(device, true), device, rows: rows.slice(before), before: 0 }]
      : []),
  ])
  const found = choose(parts, part)
  if (found === null)
    throw new Refusal(
      'the snapshot holds no allocation: recording begins with torch.cuda.memory._record_memory_history().',
    )
  const { device, rows, before, name } = found.chosen
  const reserved = mostReserved(device)
  const notes = [
    `Read: ${name}. Times are the numbers of events; an allocation ends where its free is completed. Addresses are offsets into the segments, laid end to end.`,
  ]
  if (device.events.length === 0)
    notes.push('Nothing was recorded: these are the blocks that were in use at the end, all alive together.')
  else if (before > 0)
    notes.push(`There before the recording began, and alive from its first event: ${before} of ${rows.length} blocks.`)
  notes.push(peakNote(rows), ...outOfMemory(device, rows, reserved))
  return {
    ok: true,
    format: 'torch-snapshot',
    csv: bufferCsv(rows, [], 'frame'),
    notes,
    parts: found.names,
    part: name,
    plan: { name: 'PyTorch’s allocator', offsets: rows.map(({ offset }) => offset), reserved },
  }
}
