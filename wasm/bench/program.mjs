// Solves an integer linear program in HiGHS: node program.mjs FILE SECONDS. Prints {outcome, objective, ms (of the processor), nodes, gap} on one line. A process of its
// own, since the call blocks and may go on for long after its limit.
import { readFileSync } from 'node:fs'
import load from 'highs'

const [file, seconds] = process.argv.slice(2)
const highs = await load()
const { modelStatus, solutionStatus } = highs.constants
const begin = process.cpuUsage()
highs.withModel({ format: 'lp', data: readFileSync(file, 'utf8') }, (model) => {
  model.options.set({ time_limit: Number(seconds), mip_rel_gap: 0, output_flag: false })
  model.run()
  const ended = model.getModelStatus()
  const some = model.info.get('primal_solution_status') === solutionStatus.feasible
  const { user, system } = process.cpuUsage(begin)
  const outcome = ended === modelStatus.infeasible ? 'infeasible' : some ? 'feasible' : 'running'
  console.log(
    JSON.stringify({
      outcome,
      objective: some ? model.info.get('objective_function_value') : null,
      ms: (user + system) / 1000,
      nodes: Number(model.info.get('mip_node_count')),
      gap: model.info.get('mip_gap'),
    }),
  )
})
