/** What is known of the networks of ours with their defaults: their peak, what greedy planners lose on it, the load over time. */
import type { Sections } from '../../../../wasm/client/types'
import { Cell } from '../../base/cell'

export interface ZooFacts {
  /** bytes: the lower bound, which an exact search reaches on all of them */
  peak: number
  operators: number
  /** of the greedy planners that were asked, the one that misses the peak by most; share 0: none does */
  loss: { share: number; solver: string }
  /** the load over time */
  sections: Sections
}

/** By id, as they come. */
export const zooFacts = new Cell<ReadonlyMap<string, ZooFacts>>(new Map())
