/** What the first page shows is what the solvers do: its problem is made by the generator, one solver ends early and the other does not. */
import { describe, expect, it } from 'vitest'
import { CAPACITY, configOf, LENGTH, NAME, SOLVERS, SPEED } from '../../../web/src/run/race/first_race'
import csv from '../../../web/src/run/race/first_race.csv?raw'
import { nodeClient } from '../../wasm/support'

describe('the race of the first page', () => {
  it('is about a problem of the generator, at its load bound', async () => {
    const { client } = await nodeClient()
    const [, kind, count, seed] = /^(\w+)-(\d+)-(\d+)\.csv$/.exec(NAME) ?? []
    expect((await client.generate(kind ?? '', Number(count), Number(seed))).csv).toBe(csv)
    const opened = await client.open(csv, null)
    expect(opened.ok && opened.problem.lowerBound).toBe(CAPACITY)
    expect(csv.length).toBeLessThan(4096)
    client.dispose()
  })

  it('is won by the exact solver in its first third, and MiniMalloc is still searching at its end and long after', async () => {
    const ends = []
    for (const [solver, budget] of [
      [SOLVERS[1], LENGTH],
      [SOLVERS[0], LENGTH],
      [SOLVERS[0], 50 * LENGTH],
    ] as const) {
      const { client } = await nodeClient()
      await client.open(csv, null)
      const { stats } = await client.run({ ...configOf(solver), budget }, () => {})
      ends.push({ outcome: stats.outcome, soon: stats.steps < LENGTH / 3 })
      client.dispose()
    }
    expect(ends).toEqual([
      { outcome: 'optimal', soon: true },
      { outcome: 'budget-spent', soon: false },
      { outcome: 'budget-spent', soon: false },
    ])
    expect(LENGTH / SPEED).toBe(20)
  })
})
