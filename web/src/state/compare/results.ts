/** What became of runs, as rows of a table: the same columns wherever runs stand side by side. */
import type { OutcomeId, OutcomeInfo, RunStats } from '../../../../wasm/client/types'
import { type ByteUnit, exactly, percent, seconds, thousands } from '../../base/format'
import type { Column } from './table'
import type { RunState, ShownResult } from '../workbench_values'

/** 'ready': not run yet; 'refused': the solver does not take the problem; 'stopped': its worker was lost, and replaced. */
export type CellOutcome = OutcomeId | 'ready' | 'refused' | 'stopped'

export interface ResultCell {
  outcome: CellOutcome
  /** of the plan, -1: there is none; likewise what follows, where it is not known */
  height: number
  lowerBound: number
  steps: number
  backtracks: number
  digest: string
  seconds: number
  /** why it was refused or stopped, or what a solver of others says of itself; else '' */
  note: string
}

export function cellOf(stats: RunStats): ResultCell {
  const { outcome, height, lowerBound, steps, backtracks, digest, seconds } = stats
  return { outcome, height, lowerBound, steps, backtracks, digest, seconds, note: '' }
}

/** A solver that is not ours has no steps. */
export function cellOfResult({ stats, note }: ShownResult): ResultCell {
  const cell = cellOf(stats)
  return note === undefined ? cell : { ...cell, steps: -1, backtracks: -1, note }
}

export function emptyCell(outcome: CellOutcome, note = ''): ResultCell {
  return { outcome, height: -1, lowerBound: -1, steps: -1, backtracks: -1, digest: '', seconds: -1, note }
}

/** What a lost or refused run is called. */
export function outcomeOfFailure(reason: string): CellOutcome {
  return reason === 'memory' ? 'out-of-memory' : reason === 'argument' ? 'refused' : 'stopped'
}

export function cellOfRun(state: RunState): ResultCell {
  switch (state.kind) {
    case 'idle':
      return emptyCell('ready')
    case 'failed':
      return emptyCell(outcomeOfFailure(state.reason), state.message)
    case 'running': {
      const stats = state.progress?.stats
      return stats === undefined ? emptyCell('running') : { ...cellOf(stats), outcome: 'running', digest: '' }
    }
    default:
      return cellOfResult(state.result)
  }
}

const OWN_TITLES: Partial<Record<CellOutcome, string>> = { ready: 'Not run', refused: 'Refused', stopped: 'Stopped' }

export function outcomeTitle(outcomes: readonly OutcomeInfo[], outcome: CellOutcome): string {
  return OWN_TITLES[outcome] ?? outcomes.find(({ id }) => id === outcome)?.title ?? outcome
}

/** Bytes above the lower bound; null without a plan. */
export function overBound({ height, lowerBound }: ResultCell): number | null {
  return height < 0 || lowerBound < 0 ? null : height - lowerBound
}

/** Height / lower bound - 1; null without a plan. */
export function fragmentation({ height, lowerBound }: ResultCell): number | null {
  return height < 0 || lowerBound <= 0 ? null : height / lowerBound - 1
}

/** Outcome, height, over the lower bound, fragmentation, steps, backtracks, time; a row without a cell is not known yet. */
export function resultColumns<R>(
  cell: (row: R) => ResultCell | null,
  unit: ByteUnit,
  title: (outcome: CellOutcome) => string,
): Column<R>[] {
  const known = (value: number | null | undefined) =>
    value === null || value === undefined || value < 0 ? null : value
  const number = (
    id: string,
    name: string,
    value: (cell: ResultCell) => number | null,
    shown: (n: number) => string,
  ): Column<R> => {
    const of = (row: R) => {
      const one = cell(row)
      return one === null ? null : known(value(one))
    }
    return {
      id,
      title: name,
      number: true,
      value: of,
      shown: (row) => {
        const n = of(row)
        return n === null ? '–' : shown(n)
      },
    }
  }
  // two rows that differ by a byte do not say the same
  const size = (n: number) => exactly(n, unit)
  const outcome = (row: R) => {
    const one = cell(row)
    return one === null ? null : title(one.outcome)
  }
  return [
    { id: 'outcome', title: 'Outcome', number: false, value: outcome, shown: (row) => outcome(row) ?? '–' },
    number('height', 'Height', ({ height }) => height, size),
    number('over', 'Over the bound', overBound, size),
    number('fragmentation', 'Fragmentation', fragmentation, percent),
    number('steps', 'Steps', ({ steps }) => steps, thousands),
    number('backtracks', 'Backtracks', ({ backtracks }) => backtracks, thousands),
    number('seconds', 'Time', ({ seconds }) => seconds, seconds),
  ]
}
