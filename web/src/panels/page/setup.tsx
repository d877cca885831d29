import { ProblemPanel } from '../problem/problem'
import { ResultPanel } from '../solver/result'
import { SolverPanel } from '../solver/solver'

export function Setup() {
  return (
    <div class="setup">
      <ProblemPanel />
      <SolverPanel />
      <ResultPanel />
    </div>
  )
}
