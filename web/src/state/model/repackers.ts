/** Who packs fast memory anew where a buffer finds no gap (TelaMalloc, sections 5.6 and 7.4), and how their choices compare. */
import type { RunConfig, SelectConfig, Selection } from '../../../../wasm/client/types'
import type { Column } from '../compare/table'
import { SELECT } from './selection'

export interface Repacker {
  name: string
  /** what it is, in a sentence */
  text: string
  by: Pick<SelectConfig, 'repacker' | 'options' | 'together'>
  /** what the solver `select` calls that */
  options: { repacker: string; repack: string }
}

export const REPACKERS: readonly Repacker[] = [
  {
    name: 'Nobody',
    text: 'What finds no gap stays in slow memory.',
    by: { repacker: '', options: {}, together: true },
    options: { repacker: 'none', repack: 'with' },
  },
  {
    name: 'Best fit',
    text: 'XLA’s own: those that are in are packed anew, the long-lived first, and the newcomer is tried again.',
    by: { repacker: 'greedy', options: { order: 'lifetime', fit: 'best' }, together: false },
    options: { repacker: 'best-fit', repack: 'placed' },
  },
  {
    name: 'Heuristic',
    text: 'Those that are in and the newcomer, by contention, as on Pixel 6.',
    by: { repacker: 'contention', options: {}, together: true },
    options: { repacker: 'contention', repack: 'with' },
  },
  {
    name: 'TelaMalloc',
    text: 'Those that are in and the newcomer, by TelaMalloc.',
    by: { repacker: 'telamalloc', options: {}, together: true },
    options: { repacker: 'telamalloc', repack: 'with' },
  },
  {
    name: 'Exact',
    text: 'Those that are in and the newcomer, by our exact solver.',
    by: { repacker: 'exact', options: {}, together: true },
    options: { repacker: 'exact', repack: 'with' },
  },
]

/** As the paper has it: at most so many repacks; and so many steps for each. */
const MOST = 50
const STEPS = 20_000

export const configOf = ({ by }: Repacker, capacity: number): SelectConfig => ({
  ...by,
  capacity,
  most: MOST,
  seed: 0,
  budget: STEPS,
})

/** The same choice as a run, to be stepped through. */
export const runOf = ({ options }: Repacker, capacity: number): RunConfig => ({
  solver: SELECT,
  goal: 'traffic',
  capacity,
  seed: 0,
  budget: 0,
  options,
})

/** Who made the choice that a run shows; -1: another one than these. */
export const repackerOf = ({ solver, options }: Pick<RunConfig, 'solver' | 'options'>): number =>
  REPACKERS.findIndex(({ options: own }) => {
    // what is left out is the solver's default
    const { repacker = 'telamalloc', repack = 'with', ...rest } = options
    const plain = Object.keys(rest).length === 0
    return solver === SELECT && plain && own.repacker === repacker && own.repack === repack
  })

export interface RepackerRow {
  repacker: Repacker
  /** fast memory's bytes */
  capacity: number
  chosen: Selection
}

/** Exact. */
export const repackerColumns: readonly Column<RepackerRow>[] = (
  [
    ['repacker', 'Repacker', ({ repacker }) => repacker.name],
    ['capacity', 'Fast memory', ({ capacity }) => capacity],
    ['fastBytes', 'Moved by fast memory', ({ chosen }) => chosen.fastBytes],
    ['bytes', 'Moved in all', ({ chosen }) => chosen.bytes],
    ['fast', 'In fast memory', ({ chosen }) => chosen.fast],
    ['count', 'Buffers', ({ chosen }) => chosen.count],
    ['repacked', 'Repacks that made room', ({ chosen }) => chosen.repacked],
    ['repacks', 'Repacks', ({ chosen }) => chosen.repacks],
    ['steps', 'Steps', ({ chosen }) => chosen.steps],
  ] as [string, string, (row: RepackerRow) => number | string][]
).map(([id, title, value]) => ({ id, title, value, shown: (row) => String(value(row)), number: id !== 'repacker' }))
