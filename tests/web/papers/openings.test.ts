/** What the rows of the papers' tables open: each an instance that is to be had, with a run that its solver takes, and the one that was measured. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Core } from '../../../wasm/client/core'
import type { Manifest } from '../../../wasm/client/types'
import { loweringFor } from '../../../web/src/run/model/models'
import { zooGraph } from '../../../web/src/run/model/zoo_graph'
import { parametersOfRow } from '../../../web/src/run/papers/open_row'
import {
  type GeneratedRow,
  type Measured,
  type NetworkRow,
  type Opening,
  type PaperFigure,
  papers,
  SUITES,
} from '../../../web/src/state/papers/papers'
import { allSolvers } from '../../../web/src/state/workbench'
import { makeCore } from '../../wasm/support'

/** Their rows are solvers over all instances at once, or parts of a model: there is none to open. */
const OF_NONE = ['Table 3', 'Figure 9', 'Figure 16', 'Figure 17']
const KINDS = ['non-overlapping', 'full-overlap', 'network', 'random', 'synthetic']

let core: Core
let manifest: Manifest
let figures: (PaperFigure & { ours: Measured })[]
beforeAll(async () => {
  core = await makeCore()
  manifest = core.manifest
  const data = await papers.get()
  figures = data.figures.flatMap(({ ours, ...figure }) => (ours === undefined ? [] : [{ ...figure, ours }]))
})

const isOurs = (open: Opening): open is GeneratedRow | NetworkRow => !('published' in open)

describe('a row of a paper’s table', () => {
  it('opens what it speaks of, or says where that is published', () => {
    expect(figures.length).toBeGreaterThan(15)
    for (const { where, ours } of figures) {
      const open = ours.rows.map((row) => row.open)
      if (OF_NONE.includes(where))
        expect(
          open.every((one) => one === undefined),
          where,
        ).toBe(true)
      else expect(open, where).not.toContain(undefined)
      for (const one of open)
        if (one !== undefined && 'published' in one) expect(SUITES[one.suite]?.url).toMatch(/^https/)
    }
  })

  it('is run by a solver that has such options and such a goal', () => {
    const runs = figures.flatMap(({ ours }) => ours.rows.flatMap(({ open }) => (open && isOurs(open) ? [open] : [])))
    for (const { solver, settings = {}, goal } of runs) {
      if (solver === undefined) continue
      const info = allSolvers(manifest).find(({ id }) => id === solver)
      expect(info, solver).toBeDefined()
      expect(info?.options.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(settings)))
      if (goal !== undefined) expect(info?.goals).toContain(goal)
    }
  })

  it('opens the very problem that was measured: as many buffers, or tasks on tiles', async () => {
    const found = new Map<string, Promise<number>>()
    let compared = 0
    for (const { where, row, open, told } of said(COUNTS)) {
      const of = instanceOf(open)
      const count = found.get(of) ?? ('network' in open ? lowered(open) : generated(open))
      found.set(of, count)
      expect(await count, `${where}, ${row}`).toBe(told)
      compared += 1
    }
    // 41 networks twice, 24 three times for the repacker and 11 being trained, of random ones 25, and 10 on tiles
    expect(compared).toBe(2 * 41 + 3 * 72 + 33 + 25 + 10)
    expect(found.size).toBeGreaterThan(90)
  })

  it('opens it in the memory that was measured', () => {
    const rows = said(BYTES)
    for (const { where, row, open, told } of rows) expect(memoryOf(open), `${where}, ${row}`).toBe(told)
    expect(rows.length).toBe(3 * 72 + 33 + 2 * 30 + 18)
    // the seconds are of the runs whose bytes figure 4 has
    const [bytes, seconds] = ['Figure 4', 'Table II'].map((where) =>
      figures
        .find((figure) => figure.paper === 'cosma' && figure.where === where)
        ?.ours.rows.map(({ cells: [network, budget], open }) => ({ network, budget, open })),
    )
    expect(seconds).toHaveLength(18)
    expect(seconds).toEqual(bytes)
  })
})

/** Of its run, or of the fast memory that is chosen for. */
const memoryOf = (open: GeneratedRow | NetworkRow) => ('fast' in open ? open.fast?.capacity : open.capacity)

/** Columns that tell how large the instance is; of those without a backtrack each buffer is a step. */
const COUNTS = ['buffers', 'tasks', 'steps']
/** Columns that tell the memory of the run. */
const BYTES = ['fast bytes', 'bytes']

/** What the first of these columns says of the rows that open something of ours. */
function said(titles: string[]) {
  return figures.flatMap(({ where, ours }) => {
    const at = ours.columns.findIndex(({ title }) => titles.includes(title))
    return ours.rows.flatMap(({ cells, open }) =>
      at >= 0 && open !== undefined && isOurs(open)
        ? [{ where, row: cells[0], open, told: Number(cells[at]?.replaceAll(',', '')) }]
        : [],
    )
  })
}

/** What the number of buffers hangs on. */
function instanceOf(open: GeneratedRow | NetworkRow): string {
  if ('generate' in open) return `${open.generate}-${open.n}-${open.seed}`
  const { bytes: _, ...options } = open.options
  return JSON.stringify([open.network, options, open.lowering, open.tiles])
}

/** Buffers of the lowered network, or tasks of its tiles. */
async function lowered(row: NetworkRow): Promise<number> {
  const { network, tiles } = row
  const made = await zooGraph(network, await parametersOfRow(row))
  if (made === null) throw new Error(`there is no ${network}`)
  const opened = core.openGraph(made.graph, row.lowering ?? loweringFor(made.network.show?.prefetch))
  if (!opened.ok) throw new Error(`${network}: ${opened.errors[0]?.message}`)
  if (tiles === undefined) return opened.problem.count
  const cut = core.open(core.tile(tiles.budget, tiles.options))
  if (!cut.ok) throw new Error(`${network} on tiles: ${cut.errors[0]?.message}`)
  return cut.problem.tasks?.ids.length ?? 0
}

async function generated({ generate, n, seed }: GeneratedRow): Promise<number> {
  expect(KINDS).toContain(generate)
  const opened = core.open(core.generate(generate, n, seed).csv)
  if (!opened.ok) throw new Error(`${generate}-${n}-${seed}: ${opened.errors[0]?.message}`)
  return opened.problem.count
}
