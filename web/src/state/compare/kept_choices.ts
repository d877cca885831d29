/** What the browser keeps between visits of what is chosen in the mode that compares. Apart: a race asks for no schema. */
import * as v from 'valibot'
import { type Box, keepText, KEYS, textIn } from '../share/box'
import { parsed } from '../share/ledger'
import { name, options, read, whole } from '../share/schema'
import { type CompareTab, type LaneChoice, type MatrixChoice, PERCENT, POINTS, type SweepChoice } from './compare'

export interface KeptChoices {
  tab: CompareTab
  together: boolean
  /** of the columns behind the first */
  lanes: LaneChoice[]
  sweep: SweepChoice
  matrix: MatrixChoice
}

const LIST_LIMIT = 64

const ids = v.pipe(
  v.array(name),
  v.transform((all) => all.slice(0, LIST_LIMIT)),
)
const within = ({ min, max }: { min: number; max: number }) =>
  v.pipe(
    whole,
    v.maxValue(max),
    v.transform((count) => Math.max(min, count)),
  )
const lane = v.object({ solver: name, options, seed: whole, budget: whole })

const tabs: v.GenericSchema<unknown, CompareTab> = v.fallback(
  v.picklist(['runs', 'sweep', 'schemes', 'matrix']),
  'runs',
)
const sweeps: v.GenericSchema<unknown, SweepChoice> = v.object({
  solvers: ids,
  points: within(POINTS),
  percent: within(PERCENT),
  budget: whole,
  shows: v.fallback(v.picklist(['steps', 'height']), 'steps'),
})
const matrices: v.GenericSchema<unknown, MatrixChoice> = v.object({
  solvers: ids,
  networks: v.fallback(v.boolean(), false),
  budget: whole,
  shows: v.fallback(v.picklist(['over', 'steps']), 'over'),
})

/** What a link asks for; null if it cannot be read. */
export const tabOf = (value: unknown): CompareTab => read(tabs, value, 'runs')
export const sweepOf = (value: unknown): SweepChoice | null => read(sweeps, value, null)
export const matrixOf = (value: unknown): MatrixChoice | null => read(matrices, value, null)

const choices: v.GenericSchema<unknown, KeptChoices> = v.object({
  tab: tabs,
  together: v.fallback(v.boolean(), true),
  lanes: v.optional(
    v.pipe(
      v.array(lane),
      v.transform((all) => all.slice(0, 3)),
    ),
    [],
  ),
  sweep: sweeps,
  matrix: matrices,
})

/** null if there is nothing, or nothing that can be read. */
export function restoreChoices(box: Pick<Box, 'getItem'>): KeptChoices | null {
  return read(choices, parsed(textIn(box, KEYS.compare)), null)
}

export function keepChoices(box: Pick<Box, 'setItem'>, choices: KeptChoices): void {
  keepText(box, KEYS.compare, JSON.stringify(choices))
}
