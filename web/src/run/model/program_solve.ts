/** A program in HiGHS: what it finds, and what it knows on its way. */
import type { Highs } from 'highs'
import type { Bracket, ProgramEnd, ProgramSize } from '../../state/model/program'

export interface ProgramTask {
  /** in the text format of LP solvers */
  text: string
  /** in seconds */
  patience: number
}

export type ProgramNews =
  | { kind: 'read'; size: ProgramSize }
  | ({ kind: 'progress'; seconds: number } & Bracket)
  | { kind: 'ended'; end: ProgramEnd }

const finite = (value: unknown): number | null => (typeof value === 'number' && Math.abs(value) < 1e20 ? value : null)
/** Bytes are whole: a bound between two of them is the greater. */
const boundOf = (value: unknown): number | null => {
  const bound = finite(value)
  return bound === null ? null : Math.max(0, Math.ceil(bound - 1e-6))
}
const bestOf = (value: unknown): number | null => {
  const best = finite(value)
  return best === null ? null : Math.round(best)
}

/** Blocks until it ends. */
export function solveProgram(highs: Highs, { text, patience }: ProgramTask, tell: (news: ProgramNews) => void): void {
  const { modelStatus, callbackType, solutionStatus } = highs.constants
  highs.withModel({ format: 'lp', data: text }, (model) => {
    const { numCols, numRows } = model.getDimensions()
    tell({ kind: 'read', size: { variables: numCols, constraints: numRows } })
    model.options.set({ time_limit: patience, mip_rel_gap: 0, mip_abs_gap: 0.5, output_flag: false })
    model.run({
      [callbackType.mipLogging]: ({ data }) => {
        const { running_time: seconds = 0, mip_primal_bound: best, mip_dual_bound: bound } = data
        tell({ kind: 'progress', seconds, best: bestOf(best), bound: boundOf(bound) })
      },
    })
    const ended = model.getModelStatus()
    const some = model.info.get('primal_solution_status') === solutionStatus.feasible
    const end: ProgramEnd = {
      status: 'failed',
      best: some ? bestOf(model.info.get('objective_function_value')) : null,
      bound: boundOf(model.info.get('mip_dual_bound')),
      seconds: model.getRunTime(),
    }
    if (ended === modelStatus.optimal) end.status = 'optimal'
    else if (ended === modelStatus.infeasible) end.status = 'infeasible'
    else if (ended === modelStatus.timeLimit) end.status = 'time'
    tell({ kind: 'ended', end })
  })
}
