/** What is known of a search that goes in layers, and what its passes are called. */
import { Cell } from '../../base/cell'
import type { Beam } from '../../layout/scene'

/** Of the run that is shown; null: not known, or it has no layers. */
export const beam = new Cell<Beam | null>(null)

const SHORT: readonly string[] = [
  'given order',
  'few orders',
  'least peak',
  'given order',
  'low-peak order',
  'through cuts',
  'every order',
  'others as good',
]

/** Of a pass, by its stage. */
export const passName = (stage: number): string => SHORT[stage] ?? 'orders'
