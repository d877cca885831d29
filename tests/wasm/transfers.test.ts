/** What the page reads off a plan is what the core counts. */
import { describe, expect, test } from 'vitest'
import { transfersOf, trafficOf } from '../../web/src/state/model/transfers'
import { config, makeCore, random } from './support'

/** Layers of operators that read one or two of the tensors made before. */
function graph(seed: number): string {
  const next = random(seed)
  const rows = ['tensor,t0,7,input']
  const ops: string[] = []
  for (let k = 1; k < 9; k++) {
    const reads = new Set([next(k), next(k)])
    rows.push(`tensor,t${k},${1 + next(9)}${k === 8 ? ',output' : ''}`)
    ops.push(`op,o${k},Op,${[...reads].map((read) => `t${read}`).join(';')},t${k}`)
  }
  return `${[...rows, ...ops].join('\n')}\n`
}

describe('the transfers of a plan', () => {
  const replacing = { schedule: 'file', replacement: 'greedy' }
  test.each([
    ['cosma', {}],
    ['replacement', {}],
    ['replacement', replacing],
  ])('of %s %j sum up to its traffic', async (solver, options) => {
    const core = await makeCore()
    let moved = 0
    for (let seed = 1; seed <= 40; seed++) {
      const opened = core.openGraph(graph(seed), {})
      if (!opened.ok) throw new Error(JSON.stringify(opened.errors))
      core.start({ ...config(solver, opened.model.budgets.required), goal: 'traffic', options })
      while (core.step(1000) === 'running');
      const { stats, plan } = core.result()
      if (!plan) continue
      const transfers = transfersOf(plan, opened.model)
      expect(trafficOf(transfers), `seed ${seed}`).toBe(stats.cost)
      for (const { kind, time, inside } of transfers)
        expect(time).toBe((kind === 'fetch' ? plan.stays.lower : plan.stays.upper)[inside])
      if (stats.cost > 0) moved += 1
    }
    expect(moved).toBeGreaterThan(5)
  })
})
