/** A plan as JSON: the offsets, and all that is needed to make them again. No clock and no machine is in it. */
import { type Facts, measure } from './facts'

const FORMAT = 'arenascope-plan'
const VERSION = 1

/** offset: by buffer, each at least 0. A row for each buffer, in the problem's order, piece by piece. O(buffers). */
export function* planJson(facts: Facts, offset: ArrayLike<number>): Generator<string> {
  const { problem } = facts.opened
  const { run } = facts
  const head = {
    format: FORMAT,
    version: VERSION,
    problem: {
      name: facts.name,
      digest: problem.digest,
      buffers: problem.count,
      sections: problem.sections.count,
      partitions: problem.partitions,
      lowerBound: problem.lowerBound,
      ...(facts.profile === '' ? {} : { profile: facts.profile }),
    },
    run: run && {
      solver: run.config.solver,
      goal: run.config.goal ?? 'fit',
      options: run.config.options,
      capacity: run.config.capacity,
      seed: run.config.seed,
      budget: run.config.budget,
      outcome: run.stats.outcome,
      steps: run.stats.steps,
      backtracks: run.stats.backtracks,
      digest: run.stats.digest,
    },
    height: measure(facts.opened.problem, offset).height,
  }
  yield `${JSON.stringify(head, null, 2).replace(/\n}$/, '')},\n  "buffers": [\n    `
  let k = 0
  for (const id of problem.ids) {
    const row = JSON.stringify({
      id,
      lower: problem.lower[k],
      upper: problem.upper[k],
      size: problem.size[k],
      alignment: problem.alignment[k],
      offset: offset[k],
    })
    yield k++ === 0 ? row : `,\n    ${row}`
  }
  yield '\n  ]\n}\n'
}
