// Solves an integer linear program in HiGHS: node program.mjs FILE SECONDS, which are of the processor. Prints {outcome, objective, ms (of the processor), nodes, gap} on
// one line. A process of its own, since the call blocks and may go on for long after its limit.
import { readFileSync } from 'node:fs'
import load from 'highs'

const [file, seconds] = process.argv.slice(2)
const highs = await load()
const { callbackType, modelStatus, solutionStatus } = highs.constants
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
const CLOCK = 20
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
