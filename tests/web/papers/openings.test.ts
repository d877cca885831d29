/** What the rows of the papers' tables open: each an instance that is to be had, with a run that its solver takes, and the one that was measured. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Core } from '../../../wasm/client/core'
import type { Manifest } from '../../../wasm/client/types'
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

/** Of what one column says of the row. */
function cell({ ours }: { ours: Measured }, row: Measured['rows'][number], title: string) {
  const text = row.cells[ours.columns.findIndex((column) => column.title === title)]
  return text === undefined ? null : Number(text.replaceAll(',', ''))
}

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

  it('opens the very problem that was measured: it has as many buffers', async () => {
    const seen = new Set<string>()
    for (const figure of figures)
      for (const row of figure.ours.rows) {
        const { open } = row
        if (open === undefined || !isOurs(open)) continue
        const of = JSON.stringify(
          'network' in open ? [open.network, shape(open), open.lowering] : [open.generate, open.n, open.seed],
        )
        if (seen.has(of)) continue
        seen.add(of)
        const count = 'network' in open ? await lowered(open) : generated(open)
        const said = cell(figure, row, 'buffers')
        if (said !== null) expect(count, of).toBe(said)
      }
    expect(seen.size).toBeGreaterThan(80)
  })
})

/** What the number of buffers hangs on. */
const shape = ({ options: { bytes: _, ...others } }: NetworkRow) => others

async function lowered(row: NetworkRow): Promise<number> {
  const { network, lowering } = row
  const made = await zooGraph(network, await parametersOfRow(row))
  expect(made, network).not.toBeNull()
  if (made === null) return 0
  const opened = core.openGraph(made.graph, lowering ?? {})
  if (!opened.ok) throw new Error(`${network}: ${opened.errors[0]?.message}`)
  return opened.problem.count
}

function generated({ generate, n, seed }: GeneratedRow): number {
  expect(KINDS).toContain(generate)
  const opened = core.open(core.generate(generate, n, seed).csv)
  if (!opened.ok) throw new Error(`${generate}-${n}-${seed}: ${opened.errors[0]?.message}`)
  return opened.problem.count
}
