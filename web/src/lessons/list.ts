/** The lessons, in order. */
import { backtracks } from './backtracks'
import { conflicts } from './conflicts'
import { decomposition } from './decomposition'
import { dominance } from './dominance'
import { fragmentation } from './fragmentation'
import { greedy } from './greedy'
import { leastTraffic } from './least_traffic'
import type { Lesson } from './lesson'
import { load } from './load'
import { monotonicity } from './monotonicity'
import { orders } from './orders_lesson'
import { ordersOfPairs } from './orders_of_pairs'
import { peak } from './peak'
import { phases } from './phases_lesson'
import { proofs } from './proofs'
import { sectionInference } from './section_inference'
import { staticAllocation } from './static_allocation'
import { tight } from './tight'
import { tiles } from './tiles'

export const lessons: readonly Lesson[] = [
  staticAllocation,
  load,
  greedy,
  fragmentation,
  orders,
  monotonicity,
  sectionInference,
  dominance,
  decomposition,
  phases,
  backtracks,
  tight,
  conflicts,
  proofs,
  ordersOfPairs,
  peak,
  leastTraffic,
  tiles,
]
