/** Problems of so many buffers that searches which decide do not come to an end. */
import type { Problem, SolverInfo } from '../../../../wasm/client/types'

export const MANY = 2_000

/** The solver that is made for them, of those given; undefined where the problem is not one of them. */
export const forMany = ({ count }: Problem, solvers: readonly SolverInfo[]): SolverInfo | undefined =>
  count > MANY ? solvers.find(({ id }) => id === 'large') : undefined
