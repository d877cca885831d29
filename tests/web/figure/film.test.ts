/** Films: which steps are their frames, and the file that they are put into. */
import { describe, expect, it } from 'vitest'
import { filmPlan, MOST_FRAMES } from '../../../web/src/export/film'
import { type Chunk, webm } from '../../../web/src/export/webm'

describe('the frames of a film', () => {
  it('are the steps themselves while there are at most 30 a second', () => {
    expect(filmPlan(2, 6, 4)).toEqual({ steps: [2, 3, 4, 5, 6], each: 250, duration: 2250 })
    expect(filmPlan(7, 7, 1)?.steps).toEqual([7])
  })

  it('pass over steps of a fast search, but for the first and the last', () => {
    const plan = filmPlan(0, 1000, 3000)
    expect(plan?.steps.slice(0, 3)).toEqual([0, 100, 200])
    expect(plan?.steps.at(-1)).toBe(1000)
    expect(plan?.each).toBeCloseTo(1000 / 30)
    expect(filmPlan(0, 1001, 3000)?.steps.slice(-2)).toEqual([1000, 1001])
    const slow = filmPlan(0, 100, 45)
    expect(slow?.steps).toEqual([...new Set(slow?.steps)].sort((a, b) => a - b))
  })

  it('are not more than five minutes', () => {
    expect(filmPlan(0, MOST_FRAMES, 30)).toBeNull()
    expect(filmPlan(0, MOST_FRAMES - 1, 30)?.steps).toHaveLength(MOST_FRAMES)
    expect(filmPlan(0, 10_000_000, 1_000_000)?.steps).toHaveLength(301)
  })
})

interface Element {
  id: string
  /** where it begins, from the start of what holds it */
  at: number
  data: Uint8Array
}

/** Elements in a row, each whole; throws at what does not fit. */
function elementsOf(bytes: Uint8Array): Element[] {
  const found: Element[] = []
  let at = 0
  const vint = (marked: boolean): [number, number] => {
    const first = bytes[at] ?? 0
    const length = Math.clz32(first) - 23
    if (length > 8) throw new Error('no such length')
    let value = marked ? first : first & ((1 << (8 - length)) - 1)
    for (let k = 1; k < length; k++) value = value * 256 + (bytes[at + k] ?? 0)
    at += length
    return [value, length]
  }
  while (at < bytes.length) {
    const start = at
    const [id] = vint(true)
    const [size] = vint(false)
    if (at + size > bytes.length) throw new Error(`${id.toString(16)} is cut short`)
    found.push({ id: id.toString(16), at: start, data: bytes.subarray(at, at + size) })
    at += size
  }
  return found
}

const inside = (element: Element | undefined, id: string) =>
  elementsOf(element?.data ?? new Uint8Array()).filter((one) => one.id === id)
const number = (element: Element | undefined) =>
  [...(element?.data ?? [Number.NaN])].reduce((value, byte) => value * 256 + byte, 0)

describe('a WebM file', () => {
  const chunk = (time: number, key: boolean, length = 3): Chunk => ({ time, key, data: new Uint8Array(length).fill(7) })
  const chunks = [
    chunk(0, true, 200),
    chunk(40, false),
    chunk(5000, true, 20_000),
    chunk(5033, false),
    chunk(40_000, false),
  ]
  const parts = webm({ codec: 'V_VP9', width: 1280, height: 720 }, chunks, 41_000)
  const bytes = new Uint8Array(parts.flatMap((part) => [...part]))
  const [head, segment, ...more] = elementsOf(bytes)
  const all = elementsOf(segment?.data ?? new Uint8Array())

  it('is a head and one segment with all in it', () => {
    expect([head?.id, segment?.id, more.length]).toEqual(['1a45dfa3', '18538067', 0])
    expect(new TextDecoder().decode(inside(head, '4282')[0]?.data)).toBe('webm')
    expect(all.map(({ id }) => id)).toEqual(['1549a966', '1654ae6b', '1c53bb6b', '1f43b675', '1f43b675', '1f43b675'])
  })

  it('says how long and how large it is', () => {
    const duration = inside(all[0], '4489')[0]?.data ?? new Uint8Array(8)
    expect(new DataView(duration.buffer, duration.byteOffset).getFloat64(0)).toBe(41_000)
    const track = inside(all[1], 'ae')[0]
    expect(new TextDecoder().decode(inside(track, '86')[0]?.data)).toBe('V_VP9')
    const video = inside(track, 'e0')[0]
    expect([number(inside(video, 'b0')[0]), number(inside(video, 'ba')[0])]).toEqual([1280, 720])
  })

  it('has its frames in clusters that the index finds, at their times', () => {
    const clusters = all.filter(({ id }) => id === '1f43b675')
    const times = clusters.flatMap((cluster) => {
      const start = number(inside(cluster, 'e7')[0])
      return inside(cluster, 'a3').map(({ data }) => ({
        time: start + ((data[1] ?? 0) << 8) + (data[2] ?? 0),
        key: (data[3] ?? 0) === 0x80,
        length: data.length - 4,
      }))
    })
    expect(times).toEqual(chunks.map(({ time, key, data }) => ({ time, key, length: data.length })))
    const cues = inside(all[2], 'bb').map((cue) => ({
      time: number(inside(cue, 'b3')[0]),
      at: number(inside(inside(cue, 'b7')[0], 'f1')[0]),
    }))
    expect(cues).toEqual(clusters.map((cluster) => ({ time: number(inside(cluster, 'e7')[0]), at: cluster.at })))
  })
})
