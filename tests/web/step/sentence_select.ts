/** What is told of the choice of what lives in fast memory. */
import type { Frame } from '../../../wasm/client/types'
import { event, frameOf } from '../support/fake'
import { ids } from './sentence_support'

const repack = { buffer: 2, with: true, verdict: 0, count: 3, steps: 40, nth: 2 }

export const CASES: [string, Frame, string][] = [
  [
    'the first turn',
    frameOf(1, [event(1, 'consider', { buffer: 1, nth: 1, of: 5, bytes: 18, accesses: 3, size: 6 }, ids())]),
    'It is the turn of b2, a buffer of 6: 3 accesses move 18. No one moves more for the root of its size.',
  ],
  [
    'a later turn',
    frameOf(3, [event(3, 'consider', { buffer: 2, nth: 2, of: 5, bytes: 4, accesses: 1, size: 4 }, ids())]),
    'It is the turn of b3, a buffer of 4: 1 access moves 4. No one before it moves less for the root of its size.',
  ],
  [
    'a gap',
    frameOf(2, [event(2, 'take-in', { buffer: 1, offset: 4, again: false, bytes: 18 }, ids())]),
    'b2 goes into fast memory at 4: that is the smallest gap that holds it. Slow memory moves 18 less.',
  ],
  [
    'a gap after a repack',
    frameOf(4, [event(4, 'take-in', { buffer: 2, offset: 0, again: true, bytes: 4 }, ids())]),
    'b3 goes into fast memory at 0: now that the others were packed anew there is a gap. Slow memory moves 4 less.',
  ],
  [
    'a repack with the newcomer',
    frameOf(4, [event(4, 'repack', repack, ids(1, 2))]),
    'b3 finds no gap, so the repacker packs it and the 2 that are in anew. All fit: 2 lie elsewhere now, and b3 is in.',
  ],
  [
    'a repack of the others',
    frameOf(4, [event(4, 'repack', { ...repack, with: false }, ids(1))]),
    'b3 finds no gap, so the repacker packs the 3 that are in anew. 1 lies elsewhere now, and it looks for a gap once more.',
  ],
  [
    'a repack that is proved hopeless',
    frameOf(4, [event(4, 'repack', { ...repack, verdict: 1 }, ids())]),
    'b3 finds no gap, so the repacker packs it and the 2 that are in anew. After 40 steps it proves that they do not all fit, and all stay where they are.',
  ],
  [
    'a repack that is given up',
    frameOf(4, [event(4, 'repack', { ...repack, verdict: 2, steps: 1 }, ids())]),
    'b3 finds no gap, so the repacker packs it and the 2 that are in anew. After 1 step it gives up, and all stay where they are.',
  ],
  [
    'a buffer that stays out',
    frameOf(5, [event(5, 'leave-out', { buffer: 2, why: 1, bytes: 4 }, ids())]),
    'b3 stays in slow memory: packing anew made no room. Slow memory moves 4 for it.',
  ],
  [
    'a buffer that nobody reads',
    frameOf(5, [event(5, 'leave-out', { buffer: 2, why: 3, bytes: 0 }, ids())]),
    'b3 stays in slow memory: no operator reads or writes it.',
  ],
]
