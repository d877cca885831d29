import { ProblemPanel } from './problem'
import { ResultPanel } from './result'
import { SolverPanel } from './solver'

export function Setup() {
  return (
    <div class="setup">
      <ProblemPanel />
      <SolverPanel />
      <ResultPanel />
    </div>
  )
}
