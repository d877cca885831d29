/** What a run can be after, in words. */
import type { Goal, SolverInfo } from '../../../../wasm/client/types'

interface GoalWords {
  title: string
  help: string
}

const OF_BUFFERS: Record<Goal, GoalWords> = {
  fit: { title: 'Fit', help: 'Look for a plan that fits the capacity' },
  height: { title: 'Minimise', help: 'Look for the least height, with proof, whatever the capacity' },
  traffic: { title: 'Least traffic', help: 'Look for the plan that moves the fewest bytes' },
}

const OF_GRAPHS: Record<Goal, GoalWords> = {
  ...OF_BUFFERS,
  height: { title: 'Least peak', help: 'Look for the order that needs the least memory, whatever the capacity' },
  traffic: { title: 'Least traffic', help: 'Within the capacity, move the fewest bytes to and from outside' },
}

export const goalWords = ({ domain }: Pick<SolverInfo, 'domain'>, goal: Goal): GoalWords =>
  (domain === 'graph' ? OF_GRAPHS : OF_BUFFERS)[goal]
