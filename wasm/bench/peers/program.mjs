// Solves an integer linear program in HiGHS: node program.mjs FILE SECONDS, which are of the processor. Prints {outcome, objective, ms (of the processor), nodes, gap} on
// one line. A process of its own, since the call blocks and may go on for long after its limit.
import { readFileSync } from 'node:fs'
import load from 'highs'

const [file, seconds] = process.argv.slice(2)
const highs = await load()
const { callbackType, modelStatus, solutionStatus } = highs.constants
/** A little packing, before the clock starts: the module's functions are compiled when they are first called, which is no part of a solve. */
const WARM = `minimize
 obj: h
subject to
${[0, 1, 2, 3].map((k) => ` p${k} - h <= -${k + 2}`).join('\n')}
${[0, 1, 2, 3]
  .flatMap((i) =>
    [0, 1, 2, 3]
      .filter((j) => j > i)
      .map((j) => ` p${i} - p${j} - 20 b${i}${j} <= -${i + 2}\n p${j} - p${i} + 20 b${i}${j} <= ${18 - j}`),
  )
  .join('\n')}
bounds
 h <= 20
general
 p0 p1 p2 p3
binary
${[0, 1, 2, 3].flatMap((i) => [0, 1, 2, 3].filter((j) => j > i).map((j) => ` b${i}${j}`)).join('\n')}
end
`
highs.withModel({ format: 'lp', data: WARM }, (model) => {
  model.options.set({ output_flag: false })
  model.run()
  if (Math.round(model.info.get('objective_function_value')) !== 14)
    throw new Error('HiGHS does not solve four buffers')
})
const begin = process.cpuUsage()
const used = () => {
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / 1000
}
/** HiGHS knows the clock alone, which is no matter on a busy machine: it asks now and then whether to go on. */
const limit = (event) => {
  if (used() > 1000 * Number(seconds)) event.interrupt()
}
/** Of the clock for each second of the processor, for when it does not ask. */
const CLOCK = 100
highs.withModel({ format: 'lp', data: readFileSync(file, 'utf8') }, (model) => {
  model.options.set({ time_limit: CLOCK * Number(seconds), mip_rel_gap: 0, output_flag: false })
  model.run({ [callbackType.mipInterrupt]: limit, [callbackType.simplexInterrupt]: limit })
  const ended = model.getModelStatus()
  const some = model.info.get('primal_solution_status') === solutionStatus.feasible
  const outcome = ended === modelStatus.infeasible ? 'infeasible' : some ? 'feasible' : 'running'
  console.log(
    JSON.stringify({
      outcome,
      objective: some ? model.info.get('objective_function_value') : null,
      ms: used(),
      nodes: Number(model.info.get('mip_node_count')),
      gap: model.info.get('mip_gap'),
    }),
  )
})
