import { describe, expect, it } from 'vitest'
import type { Tail } from '../../web/src/import/imported'
import { arenaNote, arenaOf } from '../../web/src/export/tflm_arena'
import { headNotes, type Request, tflmHead } from '../../web/src/export/tflm_head'

const of = (size: number, lower: number, upper: number, offset: number | null = null): Request => ({
  size,
  lower,
  upper,
  offset,
})

describe("the head of TFLite Micro's arena", () => {
  it('is that of its greedy planner: largest first, each at the lowest gap, sizes in steps of 16', () => {
    expect(tflmHead([])).toBe(0)
    expect(tflmHead([of(1, 0, 1)])).toBe(16)
    expect(tflmHead([of(32, 0, 2), of(64, 1, 3), of(16, 2, 4)])).toBe(96)
    // the larger two meet the smallest at different times, which lies above the higher of them
    expect(tflmHead([of(48, 0, 2), of(64, 2, 4), of(16, 0, 4)])).toBe(80)
  })

  it('leaves what is planned where it is, and puts scratch beside or above it', () => {
    const planned = [of(131072, 0, 2, 65536), of(65536, 1, 3, 0)]
    expect(tflmHead(planned)).toBe(196608)
    // a plan that did not know of the scratch leaves no room for it
    expect(tflmHead([...planned, of(65536, 1, 2)])).toBe(262144)
    expect(tflmHead([of(131072, 0, 2, 65536), of(65536, 2, 3, 0), of(65536, 1, 2)])).toBe(196608)
  })
})

describe('what is said of it', () => {
  const tflite = (unknown: string[], tail: Tail | null = null) => ({
    tensors: 2,
    subgraphs: 1,
    numbers: [0, 1, null],
    repeated: [],
    arena: [0, 1],
    scratch: { kernels: 'reference' as const, tensors: [2], unknown },
    kept: { variables: 64, operators: 3, inputs: 1, outputs: 1, tail },
  })

  it('has the least arena by a log, which planning may decide', () => {
    // okay_nabu as tflite-micro ran it on x86-64: it takes 27,872 bytes and no fewer, and its head is 3,840
    const log = { bytes: 22064, late: 192, word: 8, by: 'log' as const }
    const nabu = { ...tflite([], log), tensors: 117, subgraphs: 2, arena: new Array(52).fill(0) }
    nabu.scratch.tensors = []
    expect(arenaOf(nabu, 3840)).toEqual({ bytes: 27872, tail: 22064, known: 'by a log', planned: true })
    expect(arenaOf(nabu, 8000).bytes).toBe(30064)
    expect(arenaNote(nabu, 3840)).toBe(
      'With the tail of 22,064 bytes that the log has, the least arena that runs is 27,872 bytes, whatever the plan: while it plans it needs more than the head.',
    )
  })

  it('is what the head comes to, and what is not known', () => {
    const least = (bytes: string) =>
      'The tail beside it takes at least 184 bytes on a 32-bit processor, and what kernels keep: ' +
      `no arena below ${bytes} bytes runs. A log of TFLite Micro tells it to the byte.`
    expect(headNotes(tflite([]), { planned: 196608, own: 262144, scratch: 1, unknown: [] }, 196600)).toEqual([
      'TFLite Micro places the scratch buffer itself: its head comes to 196,608 bytes.',
      least('196,792'),
    ])
    const unknown = [{ op: 'mystery 1', free: 512, below: 4096 }]
    expect(headNotes(tflite(['mystery 1']), { planned: 262144, own: 212992, scratch: 1, unknown }, 131072)).toEqual([
      "TFLite Micro places the scratch buffer itself: its head comes to 262,144 bytes, 131,072 more than this plan's own height.",
      'Without this plan its own planner would need less: 212,992 bytes. Run a solver on the problem with its scratch in it.',
      'What the kernels of mystery 1 request is not known: one request of up to 512 bytes each costs nothing; with more the head may come to 4,096 bytes and all that they request.',
      least('262,328'),
    ])
  })
})
