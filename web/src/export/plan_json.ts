/** A plan as JSON: the offsets, and all that is needed to make them again. No clock and no machine is in it. */
import type { Problem } from '../../../wasm/client/types'
import { type Facts, heightsOf, measure } from './facts'

const FORMAT = 'arenascope-plan'
const VERSION = 1

/**
 * offset: by buffer, each at least 0. lies: the problem as the plan has it, where the run has chosen the pools or when buffers are alive. more:
 * what else a plan is made of. A row for each buffer, in the problem's order, piece by piece; of several pools each has a height of its own, and
 * each row its pool. O(buffers).
 */
export function* planJson(
  facts: Facts,
  offset: ArrayLike<number>,
  lies: Problem = facts.opened.problem,
  more: Record<string, unknown> = {},
): Generator<string> {
  const { run } = facts
  const { pools } = lies
  const head = {
    format: FORMAT,
    version: VERSION,
    problem: {
      name: facts.name,
      digest: facts.opened.problem.digest,
      buffers: lies.count,
      sections: lies.sections.count,
      partitions: lies.partitions,
      lowerBound: lies.lowerBound,
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
    ...(pools === undefined
      ? { height: measure(lies, offset).height }
      : { pools: heightsOf(lies, offset).map((height, k) => ({ id: pools[k]?.id ?? '', height })) }),
    ...more,
  }
  yield `${JSON.stringify(head, null, 2).replace(/\n}$/, '')},\n  "buffers": [\n    `
  let k = 0
  for (const id of lies.ids) {
    const row = JSON.stringify({
      id,
      lower: lies.lower[k],
      upper: lies.upper[k],
      size: lies.size[k],
      alignment: lies.alignment[k],
      ...(pools && { pool: pools[lies.pool?.[k] ?? -1]?.id ?? null }),
      offset: offset[k],
    })
    yield k++ === 0 ? row : `,\n    ${row}`
  }
  yield '\n  ]\n}\n'
}
