/** What is to be placed, in how much memory and by whom; below it, always in sight, Run and what came of it. */
import { CapacityPanel, ProblemPanel } from '../problem/problem'
import { ResultPanel } from '../solver/result'
import { RunPanel, SolverPanel } from '../solver/solver'

export function Setup() {
  return (
    <div class="setup">
      <div class="setup-form">
        <ProblemPanel />
        <CapacityPanel />
        <SolverPanel />
      </div>
      <div class="setup-run">
        <RunPanel />
        <ResultPanel />
      </div>
    </div>
  )
}
