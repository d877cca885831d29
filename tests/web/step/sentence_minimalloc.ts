/** What is told of the steps of all solvers and of MiniMalloc. */
import type { EventOf, Frame } from '../../../wasm/client/types'
import { event, frameOf } from '../support/fake'
import { ruleIndex as rule } from '../support/rules'
import { NONE, ids, section } from './sentence_support'

/** The fifth try, after one that was abandoned. */
const afterTry = (abandoned: Partial<EventOf<'abandon'>>) =>
  frameOf(8, [
    event(8, 'restart', { round: 5, arm: 1, limit: 128 }),
    event(8, 'target', { target: 13, best: -1, failed: 12, nth: 2 }),
    event(8, 'abandon', abandoned),
  ])
const FIFTH =
  'Try 5 starts: everything is to be placed below 13, for which this is try 2. The buffers come by TAW; after 128 that find no place it is abandoned.'

/** What is told, the frame, the words, and the capacity if it is not 12. */
export const CASES: [string, Frame, string, number?][] = [
  [
    'the beginning',
    frameOf(0, []),
    'Nothing is placed yet. 5 buffers wait for an offset below 12. The load is greatest in section 0, with 12.',
  ],
  [
    'an operator that runs',
    frameOf(3, [
      event(
        3,
        'schedule',
        { op: 4, time: 2, ready: 3, live: 12, after: 9, peak: 14 },
        { list: Uint32Array.from([1, 2]) },
      ),
      event(3, 'ready', { op: 1, live: 9, after: 9, index: 1, of: 1 }),
    ]),
    'op4 runs at time 2, chosen among 3 ready operators. 2 buffers begin with it. 12 are alive while it runs; the most so far is 14, and 9 after it.',
  ],
  [
    'the only ready operator, at the peak',
    frameOf(1, [event(1, 'schedule', { op: 0, time: 0, ready: 1, live: 12, after: 9, peak: 12 }, ids())]),
    'op0 runs at time 0, the only ready operator. No buffer begins with it. 12 are alive while it runs, the most so far, and 9 after it.',
  ],
  [
    'addresses for a schedule',
    frameOf(9, [event(9, 'allocate', { height: 14, peak: 12, steps: 5 }, ids(0, 1, 2, 3, 4))]),
    'The order of the operators stands: at most 12 are alive at once. 5 buffers have addresses now, after 5 steps of another solver: the plan is 14 high.',
  ],
  [
    'a schedule without addresses',
    frameOf(9, [event(9, 'allocate', { height: -1, peak: 12, steps: 5 }, ids())]),
    'The order of the operators stands, and no addresses were found for its buffers.',
  ],
  [
    'a piece of a layer',
    frameOf(2, [event(2, 'expand', { stage: 6, layer: 3, states: 4, dominated: 2, pruned: 1, best: 14 }, ids())]),
    'A search looks through every order, for the least traffic. After 3 operators, 4 states are kept of the next layer; in this pass 2 were no better than another and 1 cost too much. The best plan so far is one of 14.',
  ],
  [
    'a piece of the first layer',
    frameOf(2, [event(2, 'expand', { stage: 0, layer: 1, states: 1, dominated: 0, pruned: 0, best: -1 }, ids())]),
    'A search looks through the given order, for its peak. After 1 operator, 1 state is kept of the next layer; in this pass 0 were no better than another and 0 cost too much. No plan is known yet.',
  ],
  [
    'a piece with forced moves',
    frameOf(2, [
      event(2, 'expand', { stage: 6, layer: 3, states: 4, dominated: 2, pruned: 1, best: -1 }, ids()),
      event(2, 'forced', { op: 2, count: 3 }, ids()),
    ]),
    'A search looks through every order, for the least traffic. After 3 operators, 4 states are kept of the next layer; in this pass 2 were no better than another and 1 cost too much; 3 went on with one operator alone, the last with op2. No plan is known yet.',
  ],
  [
    'cuts',
    frameOf(2, [event(2, 'cut', { parts: 4 }, ids())]),
    'The best order so far falls into 4 parts where few bytes are alive: first only orders that keep to these are looked through.',
  ],
  [
    'a packer with addresses',
    frameOf(2, [event(2, 'pack', { packer: 1, packed: true, best: 14, steps: 5 }, ids())]),
    'A wide sweep through time finds addresses for the plan that moves 14.',
  ],
  [
    'a packer without',
    frameOf(2, [event(2, 'pack', { packer: 2, packed: false, best: 14, steps: 5 }, ids())]),
    'An exact solver of buffers finds no addresses for the plan that moves 14.',
  ],
  [
    'all layouts',
    frameOf(2, [event(2, 'pack', { packer: 3, packed: true, best: 14, steps: 5 }, ids())]),
    'A search through all layouts finds the plan that moves the fewest bytes of all that have addresses.',
  ],
  [
    'all layouts, none of them better',
    frameOf(2, [event(2, 'pack', { packer: 3, packed: false, best: 14, steps: 5 }, ids())]),
    'A search through all layouts finds none that moves fewer bytes than the plan before.',
  ],
  [
    'a repair',
    frameOf(2, [event(2, 'repair', { nth: 2, count: 1, cost: 16, packed: true }, ids())]),
    'Try 2 of a repair copies 1 tensor out that could stay, 16 moved in all: now there are addresses.',
  ],
  [
    'a repair in vain',
    frameOf(2, [event(2, 'repair', { nth: 2, count: 2, cost: 16, packed: false }, ids())]),
    'Try 2 of a repair copies 2 tensors out that could stay, 16 moved in all: there are still no addresses.',
  ],
  [
    'a tensor that makes room',
    frameOf(3, [event(3, 'evict', { buffer: 1, op: 2, time: 2, bytes: 5 }, ids())]),
    'b2 of 5 goes out of the arena to make room for op2, which runs at time 2.',
  ],
  [
    'a tensor that comes back',
    frameOf(4, [event(4, 'fetch', { buffer: 1, op: 2, time: 3, bytes: 5 }, ids())]),
    'b2 of 5 is fetched from outside for op2, which runs at time 3.',
  ],
  [
    'an operator of a fixed order',
    frameOf(5, [event(5, 'run', { op: 2, time: 3 }, ids(0, 1))]),
    'op2 runs at time 3. 2 buffers begin with it. The lowest gap is taken.',
  ],
  [
    'a placement on the ground',
    frameOf(
      1,
      [event(1, 'place', { buffer: 4, offset: 0, support: NONE, of: 5 }, { list: Uint32Array.from([0, 2]) })],
      {
        tried: Uint32Array.from([2]),
        candidates: Uint32Array.from([5]),
      },
    ),
    'Placing b5 at 0, on the ground. It is candidate 2 of 5 at this level. The least offset of 2 unplaced buffers rises.',
  ],
  [
    'a buffer that goes in over two others',
    frameOf(7, [event(7, 'eject', { buffer: 4, offset: 2, count: 2, fails: 3, budget: 64, target: 12 }, ids(0, 2))]),
    'Below 12 nothing is free for b5. It goes to 2 all the same, where what lies in the way weighs least. 2 buffers are taken out and wait to be placed again.',
  ],
  [
    'a try at a target',
    frameOf(8, [
      event(8, 'restart', { round: 5, arm: 1, limit: 128 }),
      event(8, 'target', { target: 13, best: 15, failed: 12, nth: 2 }),
    ]),
    'Try 5 starts: everything is to be placed below 13, for which this is try 2. The buffers come by TAW; after 128 that find no place it is abandoned. The best plan so far is 15 high.',
  ],
  [
    'a buffer that comes back',
    frameOf(8, [event(8, 'place', { buffer: 0, offset: 2, support: 4, of: 1, again: true })]),
    'Placing b1 at 2, on top of b5. It was taken out before.',
  ],
  [
    'a try after one whose budget was spent',
    afterTry({ buffer: 2, why: 0, forced: 64, budget: 64, placed: 3, target: 12 }),
    `The try before is abandoned: b3 had no place below 12, and 64 had gone in over others already. ${FIFTH}`,
  ],
  [
    'a try after one that met fixed buffers everywhere',
    afterTry({ buffer: 2, why: 1, forced: 3, budget: 64, placed: 3, target: 12 }),
    `The try before is abandoned: wherever b3 might have gone, something fixed is in the way. ${FIFTH}`,
  ],
  [
    'a try after a dive that rose too high',
    afterTry({ buffer: 1, why: 2, forced: 0, budget: 64, placed: 3, target: 12 }),
    `The try before is abandoned: with b2 the dive rose above 12. ${FIFTH}`,
  ],
  [
    'a try after a dive that went astray',
    afterTry({ buffer: NONE, why: 3, forced: 0, budget: 64, placed: 3, target: 12 }),
    `The try before is abandoned: the dive found no way up. ${FIFTH}`,
  ],
  [
    'a try without a target',
    frameOf(9, [
      event(9, 'restart', { round: 2, arm: 0, limit: 64 }),
      event(9, 'target', { target: -1, best: -1, failed: -1, nth: 0 }),
    ]),
    'Try 2 starts, a plain first fit without a target. The buffers come by WAT; after 64 that find no place it is abandoned.',
  ],
  [
    'a swap that lowers the plan',
    frameOf(9, [
      event(9, 'swap', { buffer: 0, other: 2, height: 12, before: 14, best: 12 }, ids(0, 2, 3)),
      event(9, 'bottleneck', { buffer: 4, top: 14, near: 2, second: NONE, partner: NONE }, ids(0, 2)),
      event(9, 'incumbent', { height: 12 }),
    ]),
    'b5 ended highest, at 14. Drawn from 2 buffers that may have pushed it up, b1 and b3 change places in the order. 3 buffers move, and the plan is 2 lower: 12.',
  ],
  [
    'a swap of two pairs, kept as high',
    frameOf(9, [
      event(9, 'swap', { buffer: 0, other: 2, height: 14, before: 14, best: 14 }, ids(3)),
      event(9, 'bottleneck', { buffer: 4, top: 14, near: 2, second: 1, partner: 3 }, ids(0, 2, 1, 3)),
    ]),
    'b5 ended highest, at 14. Drawn from 4 buffers that may have pushed it up, b1 and b3 change places in the order, and so do b2 and b4. 1 buffer moves; the plan is as high as before and is kept.',
  ],
  [
    'a swap after which everybody lies as before',
    frameOf(9, [
      event(9, 'swap', { buffer: 0, other: 0, height: 14, before: 14, best: 14 }),
      event(9, 'bottleneck', { buffer: 4, top: 14, near: 2, second: NONE, partner: NONE }, ids(0, 2)),
    ]),
    'b5 ended highest, at 14. Drawn from 2 buffers that may have pushed it up, b1 changes places with itself. Nobody moves.',
  ],
  [
    'a swap kept by chance',
    frameOf(9, [
      event(9, 'swap', { buffer: 0, other: 2, height: 16, before: 14, best: 13 }, ids(3, 0)),
      event(9, 'bottleneck', { buffer: 4, top: 14, near: 1, second: NONE, partner: NONE }, ids(0, 2)),
    ]),
    'b5 ended highest, at 14. Drawn from 2 buffers that may have pushed it up, b1 and b3 change places in the order. 2 buffers move; the plan is 2 higher and, by chance, kept.',
  ],
  [
    'a swap taken back',
    frameOf(9, [
      event(9, 'swap-back', { buffer: 0, other: 2, height: 16, before: 14, why: 0, best: 14 }, ids(3)),
      event(9, 'bottleneck', { buffer: 4, top: 14, near: 1, second: NONE, partner: NONE }, ids(0, 2)),
    ]),
    'b5 ends highest, at 14. Drawn from 2 buffers that may have pushed it up, b1 and b3 change places in the order. The new plan is 2 higher, at 16, so they change back.',
  ],
  [
    'a swap that is no lower, taken back',
    frameOf(9, [
      event(9, 'swap-back', { buffer: 0, other: 2, height: 14, before: 14, why: 0, best: 14 }, ids(3)),
      event(9, 'bottleneck', { buffer: 4, top: 14, near: 1, second: NONE, partner: NONE }, ids(0, 2)),
    ]),
    'b5 ends highest, at 14. Drawn from 2 buffers that may have pushed it up, b1 and b3 change places in the order. The new plan is no lower, so they change back.',
  ],
  [
    'a swap whose plan is given up half way',
    frameOf(9, [
      event(9, 'swap-back', { buffer: 0, other: 2, height: 15, before: 14, why: 1, best: 14 }, ids(3)),
      event(9, 'bottleneck', { buffer: 4, top: 14, near: 2, second: NONE, partner: NONE }, ids(0, 2)),
    ]),
    'b5 ends highest, at 14. Drawn from 2 buffers that may have pushed it up, b1 and b3 change places in the order. The new plan reaches 15 before everything is placed, so it is given up and they change back.',
  ],
  [
    'an attempt with nobody to swap',
    frameOf(9, [
      event(9, 'swap-back', { buffer: NONE, other: NONE, height: 14, before: 14, why: 2, best: 14 }),
      event(9, 'bottleneck', { buffer: 4, top: 14, near: 1, second: NONE, partner: NONE }, ids(0)),
    ]),
    'b5 ends highest, at 14. There are no two buffers to swap below it, so the attempt is spent.',
  ],
  [
    'a placement on another',
    frameOf(2, [event(2, 'place', { buffer: 2, offset: 4, support: 4, of: 1 })]),
    'Placing b3 at 4, on top of b5.',
  ],
  [
    'the last placement',
    frameOf(6, [event(6, 'place', { buffer: 3, offset: 4, support: 4, of: 1 }), event(6, 'incumbent', { height: 12 })]),
    'Placing b4 at 4, on top of b5. Every buffer is placed: the plan is 12 high.',
  ],
  [
    'a section bound',
    frameOf(3, [section]),
    'Placing b4 at 4 lifts the floor of section 2 to 8. Buffers still to place there need 6, and only 4 remain below capacity.',
  ],
  [
    'a load that alone is above the capacity',
    frameOf(1, [
      event(1, 'reject', { buffer: 0, offset: 0, rule: rule('section'), section: 1, floor: 0, rest: 12 }, ids(0, 1, 2)),
    ]),
    'The load of section 1 alone is 12, 2 more than the capacity. No order of placement can help.',
    10,
  ],
  [
    'a section that can only begin too high',
    frameOf(1, [
      event(1, 'reject', { buffer: 0, offset: 0, rule: rule('section'), section: 1, floor: 4, rest: 10 }, ids(0, 1, 2)),
    ]),
    'No buffer of section 1 can start below 4. Buffers still to place there need 10, and only 8 remain below capacity.',
  ],
  [
    'the capacity',
    frameOf(3, [event(3, 'reject', { buffer: 3, offset: 10, rule: rule('capacity'), section: 2, floor: 14, rest: 0 })]),
    'Placing b4 at 10 fills section 2 up to 14. That is 2 above the capacity.',
  ],
  [
    'the monotonic floor',
    frameOf(3, [
      event(3, 'reject', { buffer: 3, offset: 9, rule: rule('monotonic-floor'), section: 1, floor: 9, rest: 4 }),
    ]),
    'After placing b4 at 9 nothing may go lower, so the floor of section 1 is 9. Buffers still to place there need 4, and only 3 remain below capacity.',
  ],
  [
    'the unallocated floor',
    frameOf(3, [
      event(3, 'reject', { buffer: 3, offset: 9, rule: rule('unallocated-floor'), section: 1, floor: 11, rest: 4 }),
    ]),
    'With b4 at 9, no unplaced buffer of section 1 can start below 11. Buffers still to place there need 4, and only 1 remains below capacity.',
  ],
  [
    'canonical order, lower',
    frameOf(4, [event(4, 'skip', { buffer: 3, offset: 4, rule: rule('canonical'), witness: 1, bound: 8, count: 1 })]),
    'b4 at 4 is skipped: b2 was placed at 8, and offsets may not go down. The packing with it below is searched in another branch.',
  ],
  [
    'canonical order, equal, three at once',
    frameOf(4, [
      event(
        4,
        'skip',
        { buffer: 3, offset: 8, rule: rule('canonical'), witness: 1, bound: 8, count: 3 },
        { list: Uint32Array.from([3, 0, 2]) },
      ),
    ]),
    'b4 at 8 and 2 other candidates are skipped: b2 was placed at 8, and equal offsets are taken in order. The packing with both is searched in another branch.',
  ],
  [
    'dominance',
    frameOf(4, [event(4, 'skip', { buffer: 3, offset: 8, rule: rule('dominance'), witness: 0, bound: 6, count: 1 })]),
    'b4 at 8 is skipped: b1 still fits entirely below, up to 6. Placing it first is never worse.',
  ],
  [
    'hatless',
    frameOf(4, [event(4, 'skip', { buffer: 3, offset: 8, rule: rule('hatless'), witness: 0, bound: 4, count: 1 })]),
    "b4 at 8 is skipped: nothing unplaced lies above b1, so it is in nobody's way. What did not work with it does not work with its siblings.",
  ],
  [
    'a backtrack',
    frameOf(5, [event(5, 'backtrack', { from: 4, to: 2, buffer: 1 })], {
      undone: [
        { buffer: 3, offset: 8 },
        { buffer: 1, offset: 4 },
      ],
    }),
    'No candidate is left at level 5. 2 levels are taken back, down to b2, which lay at 4.',
  ],
  [
    'a backtrack of one level',
    frameOf(5, [event(5, 'backtrack', { from: 2, to: 1, buffer: 1 })], { undone: [{ buffer: 1, offset: 4 }] }),
    'No candidate is left at level 3. So b2, which lay at 4, is taken back.',
  ],
  [
    'the last placement of a plan that is too high',
    frameOf(6, [
      event(6, 'place', { buffer: 3, offset: 10, support: 4, of: 1 }),
      event(6, 'incumbent', { height: 14 }),
    ]),
    'Placing b4 at 10, on top of b5. Every buffer is placed: the plan is 14 high, 2 above the capacity.',
  ],
  [
    'a placement that sets something off, before how many candidates there were',
    frameOf(
      2,
      [
        event(2, 'place', { buffer: 2, offset: 4, support: 4, of: 3 }, { list: Uint32Array.from([0]) }),
        event(2, 'decompose', { parts: 2 }),
      ],
      {
        tried: Uint32Array.from([1]),
        candidates: Uint32Array.from([3]),
      },
    ),
    'Placing b3 at 4, on top of b5. The unplaced buffers fall into 2 parts that no longer meet in time.',
  ],
  [
    'the end of a proof',
    frameOf(5, [event(5, 'backtrack', { from: 0, to: 0, buffer: NONE })]),
    'No candidate is left at level 1, and there is nothing placed that could be taken back.',
  ],
  [
    'a restart',
    frameOf(7, [event(7, 'restart', { round: 2, arm: 1, limit: 40 })]),
    'Attempt 2 starts with order TAW and ends after 40 nodes if it finds nothing.',
  ],
  [
    'a gap too small',
    frameOf(8, [event(8, 'no-fit', { buffer: 3, offset: 4, blocker: 1, need: 4, room: 3 })]),
    'The gap at 4 below b2 has 3. b4 needs 4, 1 more.',
  ],
  [
    'a collision of chunks',
    frameOf(8, [event(8, 'collide', { buffer: 3, offset: 4, other: 1, section: 2, address: 5, next: 9 })]),
    'At 4 a chunk of b4 would lie over one of b2: both are alive in section 2 at 5. Past them it is tried at 9, 5 higher.',
  ],
  [
    'a window of few',
    frameOf(8, [event(8, 'window', { limit: 9, nth: 2, of: 3, nodes: 256 }, { list: Uint32Array.from([0, 1, 3]) })]),
    '3 buffers alone, each as low as it may lie: is there a plan below 9? What they need at least, all need.',
  ],
  [
    'a window of all',
    frameOf(8, [
      event(8, 'window', { limit: 9, nth: 1, of: 1, nodes: 0 }, { list: Uint32Array.from([0, 1, 2, 3, 4]) }),
    ]),
    'All 5 buffers, each as low as it may lie: is there a plan below 9?',
  ],
  [
    'one past the other',
    frameOf(9, [
      event(
        9,
        'lift',
        { buffer: 3, offset: 5, other: 1, level: 1, height: 8, again: false },
        { list: Uint32Array.from([0]) },
      ),
      event(9, 'clash', { buffer: 3, other: 1, section: 2, address: 1, from: 0, base: 1 }),
    ]),
    'From here on b4 lies past b2: at 5. 1 other rises with it; together they reach 8. Before, chunks of b4 and b2 lay over each other in section 2 at 1.',
  ],
  [
    'one past the other, alone',
    frameOf(9, [event(9, 'lift', { buffer: 3, offset: 5, other: 1, level: 2, height: 8, again: true })]),
    'From here on b4 lies past b2: at 5. Together they reach 8.',
  ],
  [
    'exchange',
    frameOf(2, [
      event(2, 'exchange', { section: 1, bytes: 5, ends: 2, standing: 3 }, { list: Uint32Array.of(0, 1, 3) }),
    ]),
    'Where section 1 begins nothing may stay idle: 2 buffers end side by side, and 1 that begins takes exactly those 5.',
  ],
  [
    'exchange of one for one',
    frameOf(2, [event(2, 'exchange', { section: 1, bytes: 5, ends: 1, standing: 1 }, { list: Uint32Array.of(0, 3) })]),
    'Where section 1 begins nothing may stay idle: 1 buffer ends, and 1 that begins takes exactly those 5.',
  ],
  [
    'exchange taken back',
    frameOf(2, [event(2, 'exchange', { section: 1, bytes: -1, ends: 0, standing: 3 })]),
    'Where section 1 begins, nobody is left to take the place of those that end. The exchange before is taken back; 3 stand.',
  ],
  [
    'no exchange is left',
    frameOf(2, [event(2, 'exchange', { section: 1, bytes: -1, ends: 0, standing: 0 })]),
    'Where section 1 begins, nobody is left to take the place of those that end. No exchange is left: the sections of this sweep have no plan.',
  ],
  [
    'tables under way',
    frameOf(1, [event(1, 'tabulate', { buffer: 3, pairs: 1, ranges: 4 })]),
    'Where each two tensors collide is worked out first: 4 ranges of offsets of 1 pair so far. b4 and its peers are next.',
  ],
  [
    'tables done',
    frameOf(2, [event(2, 'tabulate', { buffer: NONE, pairs: 3, ranges: 9 })]),
    'Where each two tensors collide is worked out first: 9 ranges of offsets of 3 pairs so far. The tables are done; tiles are not looked at again.',
  ],
  [
    'no room past the other',
    frameOf(9, [event(9, 'no-lift', { buffer: 3, other: 1, blocked: 0, offset: 7, again: false })]),
    'b4 cannot lie past b2: b1 would have to go to 7 or above, and no plan below the limit is left.',
  ],
  [
    'the other way',
    frameOf(9, [event(9, 'drop', { buffer: 3, other: 1, count: 1, level: 0, limit: 9 })]),
    'Nothing below 9 is left here: 1 decision is taken back. Next, b2 goes past b4.',
  ],
  [
    'every way',
    frameOf(9, [event(9, 'drop', { buffer: NONE, other: NONE, count: 2, level: 0, limit: 9 })]),
    'Nothing below 9 is left here: 2 decisions are taken back. Every way was tried.',
  ],
  [
    'a window that proves',
    frameOf(9, [
      event(9, 'proof', { least: 7, how: 0, nodes: 5, lower: 7, upper: 9 }, { list: Uint32Array.from([0, 1, 3]) }),
    ]),
    'Every way was tried, after 5 decisions: these 3 buffers need 7 or more, and so do all.',
  ],
  [
    'a window that ends it',
    frameOf(9, [
      event(9, 'proof', { least: 9, how: 0, nodes: 1, lower: 9, upper: 9 }, { list: Uint32Array.from([0, 1, 3]) }),
    ]),
    'Every way was tried, after 1 decision: these 3 buffers need 9 or more, and so do all. That is the height of the best plan: none is lower.',
  ],
  [
    'a window given up',
    frameOf(9, [
      event(9, 'proof', { least: 9, how: 1, nodes: 256, lower: 7, upper: 9 }, { list: Uint32Array.from([0, 1]) }),
    ]),
    'The search among 2 buffers is given up after 256 decisions.',
  ],
  [
    'a window that fits',
    frameOf(9, [
      event(9, 'proof', { least: 7, how: 2, nodes: 3, lower: 7, upper: 9 }, { list: Uint32Array.from([0, 1]) }),
    ]),
    '2 buffers alone fit into 7, which proves nothing new.',
  ],
  [
    'a swap without a cause',
    frameOf(9, [event(9, 'swap', { buffer: 3, other: 1, height: 7, before: 9, best: 9 })]),
    'b4 and b2 change places in the order, and all that come after them are placed anew. The plan is 2 lower: 7.',
  ],
  [
    'a swap without a cause, as high',
    frameOf(9, [event(9, 'swap', { buffer: 3, other: 1, height: 9, before: 9, best: 9 })]),
    'b4 and b2 change places in the order, and all that come after them are placed anew. The plan is as high as before and is kept.',
  ],
  [
    'a swap without a cause, taken back',
    frameOf(9, [event(9, 'swap-back', { buffer: 3, other: 1, height: 11, before: 9, why: 1, best: 9 })]),
    'b4 and b2 change places in the order, and all that come after them are placed anew. The plan would reach 11, above 9, so they change back.',
  ],
  [
    'a finished row',
    frameOf(9, [event(9, 'advance', { row: 4, next: 8 })]),
    'The row at 4 is finished: no unplaced buffer fits there any more. The next row is at 8.',
  ],
  [
    'a shared object',
    frameOf(9, [event(9, 'new-slot', { buffer: 3, offset: 8, slot: 2, size: 4 })]),
    'No shared object is free for b4. Number 3, with a size of 4, is opened for it at 8.',
  ],
  [
    'a decomposition',
    frameOf(2, [
      event(2, 'place', { buffer: 2, offset: 4, support: 4, of: 1 }),
      event(2, 'decompose', { parts: 3 }, { list: Uint32Array.from([0, 1, 3]) }),
    ]),
    'Placing b3 at 4, on top of b5. The unplaced buffers fall into 3 parts that no longer meet in time.',
  ],
  [
    'a solved part',
    frameOf(2, [
      event(2, 'place', { buffer: 2, offset: 4, support: 4, of: 1 }),
      event(2, 'part-solved', { part: 1, parts: 3 }),
    ]),
    'Placing b3 at 4, on top of b5. Part 1 of 3 is solved.',
  ],
]
