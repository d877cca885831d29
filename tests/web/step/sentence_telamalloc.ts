/** What is told of TelaMalloc. */
import type { Frame } from '../../../wasm/client/types'
import { event, frameOf } from '../support/fake'
import { ruleIndex as rule } from '../support/rules'
import { NONE, ids } from './sentence_support'

export const TELAMALLOC: [string, Frame, string][] = [
  [
    'a minor backtrack',
    frameOf(3, [
      event(
        3,
        'reject',
        { buffer: 3, offset: 6, rule: rule('unsatisfiable'), section: NONE, floor: 8, rest: 7 },
        ids(1),
      ),
      event(3, 'culprits', { buffer: 1, least: 8, most: 7 }, ids(3, 0, 2)),
    ]),
    'Placing b4 at 6 leaves b2 no position: the lowest one left would be 8, above the highest, 7. The placement is taken back. These 3 placements alone are in conflict.',
  ],
  [
    'a buffer that excludes itself',
    frameOf(1, [
      event(
        1,
        'reject',
        { buffer: 3, offset: 6, rule: rule('unsatisfiable'), section: NONE, floor: 8, rest: 6 },
        ids(3),
      ),
      event(1, 'culprits', { buffer: 3, least: 8, most: 6 }, ids(3)),
    ]),
    'Placing b4 at 6 leaves it no position: the lowest one left would be 8, above the highest, 6. The placement is taken back. This placement alone is in conflict.',
  ],
  [
    'a proof before anything is placed',
    frameOf(1, [
      event(1, 'reject', { buffer: 3, offset: 8, rule: rule('unsatisfiable'), section: NONE, floor: 8, rest: -1 }),
    ]),
    'Before anything is placed, b4 has no position: there is none within the capacity. There is no packing.',
  ],
  [
    'a major backtrack to the second-to-last conflict, and whom it promotes',
    frameOf(
      5,
      [
        event(5, 'backtrack', { from: 4, to: 2, buffer: 1, major: true }, ids(3, 1)),
        event(5, 'culprits', { buffer: NONE, least: 0, most: 0 }, ids(1, 4)),
        event(5, 'promote', { level: 2, count: 1, pending: 3 }, ids(0)),
        event(5, 'candidate', { buffer: 0, offset: 4, source: 3, phase: 0, index: 1, of: 4 }),
      ],
      {
        undone: [
          { buffer: 3, offset: 8 },
          { buffer: 1, offset: 4 },
        ],
      },
    ),
    'All candidates of level 5 are exhausted. 2 earlier placements are in conflict with them; the second-to-last conflicting placement is b2 at 4: 2 levels are taken back, down to it. b1, which failed, is prepended to the candidates of level 3.',
  ],
  [
    'a major backtrack of a fixed number of levels',
    frameOf(5, [
      event(5, 'backtrack', { from: 4, to: 3, buffer: 1, major: true }, ids(1)),
      event(5, 'culprits', { buffer: NONE, least: 0, most: 0 }, ids(4)),
    ]),
    'All candidates of level 5 are exhausted. 1 earlier placement is in conflict with them; b2 is taken back.',
  ],
  [
    'a search out of moves',
    frameOf(5, [
      event(5, 'backtrack', { from: 0, to: 0, buffer: NONE, major: true }),
      event(5, 'culprits', { buffer: NONE, least: 0, most: 0 }),
    ]),
    'All candidates of level 1 are exhausted. There is nothing to go back to: the search is out of moves, which proves nothing.',
  ],
  [
    'a search that is stuck',
    frameOf(5, [
      event(5, 'backtrack', { from: 4, to: 2, buffer: 1, major: true, stuck: true }, ids(3, 1)),
      event(5, 'stuck', { level: 2, backtracks: 101, limit: 100 }),
      event(5, 'promote', { level: 2, count: 2, pending: 5 }, ids(0, 4)),
    ]),
    'The search is stuck: 101 backtracks below the decision point at level 3, more than 100. It goes back there: 2 levels are taken back, down to b2. The 2 candidates that failed are prepended to those of level 3.',
  ],
  [
    'a jump by the scores of a model',
    frameOf(5, [
      event(5, 'backtrack', { from: 4, to: 1, buffer: 1, major: true }, ids(3, 4, 1)),
      event(5, 'culprits', { buffer: NONE, least: 0, most: 0 }, ids(4, 1)),
      event(5, 'jump', { level: 1, fallback: 2, of: 3, learned: true, drawn: false, threshold: 320 }, ids(0, 1, 4)),
      event(5, 'score', { buffer: 4, level: 2, score: 300, weighted: 256, chosen: false, best: false }),
      event(5, 'score', { buffer: 1, level: 1, score: 640, weighted: 416, chosen: true, best: true }),
      event(5, 'score', { buffer: 0, level: 0, score: 64, weighted: 32, chosen: false, best: false }),
    ]),
    'All candidates of level 5 are exhausted. 2 earlier placements are in conflict with them; 3 levels are taken back, down to b2. Of 3 placements the model scores highest b2, with 6.5 of 10; the rules would go to level 3.',
  ],
  [
    'a jump by lot, because a model is not sure',
    frameOf(5, [
      event(5, 'backtrack', { from: 4, to: 2, buffer: 4, major: true }, ids(3, 4)),
      event(5, 'stuck', { level: 2, backtracks: 101, limit: 100 }),
      event(5, 'jump', { level: 2, fallback: 2, of: 2, learned: true, drawn: true, threshold: 320 }, ids(1, 4)),
      event(5, 'score', { buffer: 4, level: 2, score: 130, weighted: 96, chosen: true, best: false }),
      event(5, 'score', { buffer: 1, level: 1, score: 256, weighted: 160, chosen: false, best: true }),
    ]),
    'The search is stuck: 101 backtracks below the decision point at level 3, more than 100. It goes back there: 2 levels are taken back, down to b5. Of 2 placements the model scores highest b2, with 2.5 of 10, less than 5.0: one was drawn by lot, and is where the rules point too.',
  ],
  [
    'a jump by lot, from a subtree that it is stuck in to elsewhere',
    frameOf(5, [
      event(5, 'backtrack', { from: 4, to: 1, buffer: 1, major: true }, ids(3, 4, 1)),
      event(5, 'stuck', { level: 2, backtracks: 101, limit: 100 }),
      event(5, 'jump', { level: 1, fallback: 2, of: 2, learned: false, drawn: true, threshold: 0 }, ids(1, 4)),
    ]),
    'The search is stuck: 101 backtracks below the decision point at level 3, more than 100. It goes back: 3 levels are taken back, down to b2. It was drawn by lot among 2 placements; the rules would go to level 3.',
  ],
  [
    'a new phase and its first candidate',
    frameOf(2, [
      event(2, 'place', { buffer: 4, offset: 0, support: NONE, of: 1 }),
      event(2, 'phase', { phase: 1, from: 0, left: 2, of: 3, part: 0, parts: 1 }),
      event(2, 'candidate', { buffer: 1, offset: 4, source: 0, phase: 1, index: 0, of: 2 }),
      event(2, 'candidate', { buffer: 2, offset: 0, source: 1, phase: 1, index: 1, of: 2 }),
    ]),
    'Placing b5 at 0, on the ground. Next is phase 2, with 2 of 3 buffers to place. The next candidate is b2, of the longest lifetime, lowest at 4; 1 more waits.',
  ],
]
