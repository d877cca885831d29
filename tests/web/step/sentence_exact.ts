/** What is told of the exact solver. */
import type { Frame } from '../../../wasm/client/types'
import { event, frameOf } from '../support/fake'
import { ruleIndex as rule } from '../support/rules'
import { NONE, ids, section } from './sentence_support'

export const EXACT: [string, Frame, string][] = [
  [
    'a question, by what the arm looks for',
    frameOf(1, [
      event(1, 'restart', { round: 0, arm: 2, limit: 40 }),
      event(1, 'choose', { section: 0, floor: 0, rest: 12, score: -12, waste: 0, buffer: NONE }, ids(4, 0, 2)),
    ]),
    'Attempt 1 of this arm, 10WATK, starts and ends after 40 nodes if it finds nothing. It asks the section with the most left to place. There it tries the candidate that wastes the least scarce slack first.',
  ],
  [
    'a placement, and the question after it',
    frameOf(2, [
      event(2, 'place', { buffer: 4, offset: 0, support: NONE, of: 1 }),
      event(2, 'choose', { section: 1, floor: 4, rest: 8, score: -8, waste: 0, buffer: NONE }, ids(1, 2)),
    ]),
    'Placing b5 at 0, on the ground. Next is section 1, which has the most left to place, 8: on its floor, at 4, one of 2 candidates sits, or nobody.',
  ],
  [
    'a placement above a gap, whatever lies under that',
    frameOf(2, [event(2, 'place', { buffer: 4, offset: 9, support: NONE, of: 1 })]),
    'Placing b5 at 9, resting on nothing.',
  ],
  [
    'a question with one answer: no slack',
    frameOf(2, [
      event(2, 'place', { buffer: 4, offset: 0, support: NONE, of: 1 }),
      event(2, 'choose', { section: 1, floor: 4, rest: 8, score: -8, waste: 1, buffer: NONE }, ids(2)),
    ]),
    'Placing b5 at 0, on the ground. Next is section 1, which has the most left to place, 8: on its floor, at 4, b3 must sit: there is no room to leave it idle.',
  ],
  [
    'a question with one answer: a pile of one lifespan',
    frameOf(2, [
      event(2, 'place', { buffer: 4, offset: 0, support: NONE, of: 1 }),
      event(2, 'choose', { section: 1, floor: 4, rest: 8, score: -8, waste: 3, buffer: NONE }, ids(2)),
    ]),
    'Placing b5 at 0, on the ground. Next is section 1, which has the most left to place, 8: on its floor, at 4, b3 goes on the buffer of its lifespan, with which it is piled up in this attempt.',
  ],
  [
    'a question with one answer: somebody would drop',
    frameOf(2, [
      event(2, 'place', { buffer: 4, offset: 0, support: NONE, of: 1 }),
      event(2, 'choose', { section: 1, floor: 4, rest: 8, score: -8, waste: 2, buffer: 1 }, ids(1, 2)),
    ]),
    'Placing b5 at 0, on the ground. Next is section 1, which has the most left to place, 8: on its floor, at 4, one of 2 candidates must sit: if nobody did, b2 could drop to it.',
  ],
  [
    'a floor left idle',
    frameOf(3, [event(3, 'waste', { section: 1, floor: 4, to: 6, buffer: 0 }, ids(1, 2))]),
    'Nobody sits on the floor of section 1, at 4. So its 2 buffers rise to 6, the next floor there is, which b1 makes.',
  ],
  [
    'a buffer that cannot be the lowest',
    frameOf(2, [
      event(2, 'place', { buffer: 4, offset: 0, support: NONE, of: 1 }),
      event(2, 'raise', { buffer: 2, offset: 8, rule: rule('not-first'), section: 1, from: 4, other: NONE }),
      event(2, 'raise', { buffer: 1, offset: 8, rule: rule('not-first'), section: 1, from: 4, other: NONE }),
    ]),
    'Placing b5 at 0, on the ground. With b3 lowest, section 1 would overflow: it rises from 4 to 8, and 1 more rise.',
  ],
  [
    'an offset that no pile reaches',
    frameOf(2, [
      event(2, 'place', { buffer: 4, offset: 0, support: NONE, of: 1 }),
      event(2, 'raise', { buffer: 2, offset: 8, rule: rule('subset-sum'), section: 1, from: 5, other: NONE }),
    ]),
    'Placing b5 at 0, on the ground. No pile of section 1’s buffers ends where b3 could lie: it rises from 5 to 8.',
  ],
  [
    'an offset that alignments leave no pile',
    frameOf(2, [
      event(2, 'place', { buffer: 4, offset: 0, support: NONE, of: 1 }),
      event(2, 'raise', { buffer: 2, offset: 8, rule: rule('pile'), section: 1, from: 5, other: NONE }),
    ]),
    'Placing b5 at 0, on the ground. In no pile of section 1’s buffers, at offsets that suit them, is b3 lower: it rises from 5 to 8.',
  ],
  [
    'a section of which there is no pile',
    frameOf(3, [
      event(3, 'reject', { buffer: 3, offset: 4, rule: rule('pile'), section: 2, floor: 8, rest: 6 }, ids(1, 2)),
    ]),
    'With b4 at 4, in section 2 6 are to lie on each other from 8 on: at offsets that suit them no order of them ends within the capacity.',
  ],
  [
    'two buffers of one lifespan',
    frameOf(2, [
      event(2, 'place', { buffer: 4, offset: 0, support: NONE, of: 1 }),
      event(2, 'raise', { buffer: 2, offset: 8, rule: rule('same-span'), section: NONE, from: 4, other: 1 }),
    ]),
    'Placing b5 at 0, on the ground. Swapped with b2, it is the case that failed: b3 rises from 4 to 8.',
  ],
  [
    'a rejection with its conflict',
    frameOf(3, [section, event(3, 'conflict', { size: 3, learned: 1, section: 2 }, ids(1, 2, 3))]),
    'Placing b4 at 4 lifts the floor of section 2 to 8. Buffers still to place there need 6, and only 4 remain below capacity. Packing these 3 buffers alone, each from where it may begin, is impossible: that is remembered.',
  ],
  [
    'a known conflict',
    frameOf(3, [
      event(3, 'reject', { buffer: 3, offset: 4, rule: rule('nogood'), section: NONE, floor: 0, rest: 0 }, ids(1, 2)),
    ]),
    'With b4 at 4, 2 buffers that failed together before are here again, none lower than then. The placement is taken back.',
  ],
  [
    'a buffer with no offset left',
    frameOf(3, [
      event(3, 'reject', { buffer: 3, offset: 4, rule: rule('domain'), section: NONE, floor: 0, rest: 0 }, ids(1)),
    ]),
    'Placing b4 at 4 leaves b2 no offset that its alignment, fixed offset, bank and windows allow. The placement is taken back.',
  ],
  [
    'an equal that failed',
    frameOf(4, [event(4, 'skip', { buffer: 3, offset: 8, rule: rule('equal'), witness: 1, bound: 8, count: 1 })]),
    'b4 at 8 is skipped: b2 has the same lifespan and size, and failed here.',
  ],
  [
    'a jump over alternatives',
    frameOf(
      5,
      [
        event(5, 'backtrack', { from: 4, to: 2, buffer: 1, major: true }),
        event(5, 'leave', { level: 3, rule: rule('backjump'), count: 2, section: 1 }, ids(0, 2)),
      ],
      {
        undone: [
          { buffer: 3, offset: 8 },
          { buffer: 1, offset: 4 },
        ],
      },
    ),
    'Below level 4 nothing works. 2 levels are taken back, down to b2, which lay at 4. 2 alternatives at level 4 are skipped: the conflict holds without this decision.',
  ],
  [
    'a jump with nothing to skip',
    frameOf(5, [
      event(5, 'backtrack', { from: 4, to: 3, buffer: 1 }),
      event(5, 'leave', { level: 3, rule: rule('backjump'), count: 0, section: 1 }),
    ]),
    'Below level 4 nothing works. So b2 is taken back. The conflict holds without this decision.',
  ],
  [
    'candidates that are not in the conflict',
    frameOf(
      5,
      [
        event(5, 'backtrack', { from: 2, to: 1, buffer: 1 }),
        event(5, 'leave', { level: 1, rule: rule('lazy'), count: 1, section: 1 }, ids(0)),
      ],
      {
        undone: [{ buffer: 1, offset: 4 }],
      },
    ),
    'Below level 2 nothing works. So b2, which lay at 4, is taken back. 1 alternative at level 2 is skipped: the buffers in conflict fail already without it.',
  ],
  [
    'a jump over several levels, before the conflict',
    frameOf(5, [
      event(5, 'backtrack', { from: 4, to: 2, buffer: 1, major: true }),
      event(5, 'conflict', { size: 2, learned: 1, section: NONE }, ids(0, 2)),
      event(5, 'leave', { level: 4, rule: rule('backjump'), count: 0, section: 1 }),
      event(5, 'leave', { level: 3, rule: rule('backjump'), count: 2, section: 1 }, ids(0, 2)),
      event(5, 'leave', { level: 2, rule: rule('backjump'), count: 1, section: 1 }, ids(4)),
    ]),
    'Below level 4 nothing works. 2 levels are taken back, down to b2. 3 alternatives on the way, at 2 levels, are skipped: the conflict holds without these decisions.',
  ],
  [
    'a probe',
    frameOf(6, [event(6, 'probe', { capacity: 12, limit: 100, lower: 10, upper: 16, purpose: 1 })]),
    'Is there a plan within 12? The least height is between 10 and 16. The search ends after 100 nodes if it finds nothing, which proves nothing.',
  ],
  [
    'the first probe',
    frameOf(6, [event(6, 'probe', { capacity: 10, limit: 0, lower: 10, upper: -1, purpose: 0 })]),
    'Is there a plan within 10? The least height is at least 10.',
  ],
  [
    'a better plan',
    frameOf(6, [event(6, 'bound', { lower: 10, upper: 14, source: 1 })]),
    'A plan is 14 high. No plan can be lower than 10, 4 below.',
  ],
  [
    'a better lower bound',
    frameOf(6, [event(6, 'bound', { lower: 12, upper: 14, source: 4 })]),
    'No plan can be lower than 12. The best so far is 14 high, 2 above.',
  ],
  [
    'the load',
    frameOf(6, [event(6, 'bound', { lower: 12, upper: -1, source: 0 })]),
    'No plan can be lower than 12. There is none yet.',
  ],
  [
    'bounds that meet',
    frameOf(6, [event(6, 'bound', { lower: 12, upper: 12, source: 3 })]),
    'A plan is 12 high, and none can be lower: the bounds have met.',
  ],
]
