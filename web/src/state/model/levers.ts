/** What would lower the peak of the model that is open, each with what it comes to: run/model/levers.ts works it out. */
import type { PackedGraph } from '../../../../wasm/client/types'
import { Cell } from '../../base/cell'
import type { KnownHeight } from '../solver/known_height'
import type { Opened } from '../workbench_values'

/** What the problem becomes. */
export type Change =
  | { kind: 'lowering'; lowering: Record<string, string> }
  /** of a network of ours: its parameters */
  | { kind: 'zoo'; options: Record<string, string> }
  /** operators in another order or in parts, tensors of other sizes */
  | { kind: 'graph'; graph: PackedGraph; lowering: Record<string, string> }

export interface Lever {
  id: string
  title: string
  /** what it costs or leaves open */
  note: string
  peak: KnownHeight
  change: Change
}

export interface Levers {
  /** what was open, and in which capacity it was to fit */
  of: Opened
  capacity: number
  /** of what is open as it is */
  base: KnownHeight | null
  /** those that help, the most first; null: they are being looked for */
  found: readonly Lever[] | null
  /** what could not be looked for, a sentence; '' */
  left: string
}

export const levers = new Cell<Levers | null>(null)
export function setLevers(known: Levers): void {
  levers.set(known)
}
