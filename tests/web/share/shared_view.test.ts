/** How the page is looked at, into a link and back, and what the links of the published benchmarks weigh. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Problem } from '../../../wasm/client/types'
import { showView, viewNow } from '../../../web/src/run/share/shared_view'
import { parseShared, type Shared } from '../../../web/src/state/share/schema'
import * as ui from '../../../web/src/state/ui'
import { encodeLink } from '../../../web/src/state/share/codec'
import { workbench } from '../../../web/src/state/workbench_cells'

const NOTHING = { viewport: null, tab: 'step', colour: '', pinned: [] }

afterEach(() => {
  showView(NOTHING)
  ui.askedViewport.set(null)
  ui.viewport.set(null)
  ui.viewportWhole.set(true)
  workbench.opened.set(null)
})

describe('a look', () => {
  it('at everything is short', () => {
    ui.viewport.set({ t0: 0, t1: 100, b0: 0, b1: 4096 })
    expect(viewNow()).toEqual(NOTHING)
  })

  it('is found again, its edges by less than the eye sees', () => {
    workbench.opened.set({ problem: { count: 3 } as Problem, source: { kind: 'none' }, text: '' })
    const shown = { t0: 1234.567, t1: 1300.001, b0: 0.3, b1: 77.7 }
    ui.viewport.set(shown)
    ui.viewportWhole.set(false)
    ui.tab.set('buffers')
    workbench.colourChoice.set('lifetime')
    workbench.pinned.set(2)
    const look = viewNow()
    showView(NOTHING)
    expect([ui.tab.get(), workbench.colourChoice.get(), workbench.pinned.get(), ui.askedViewport.get()]).toEqual([
      'step',
      null,
      -1,
      null,
    ])
    showView(look)
    expect([ui.tab.get(), workbench.colourChoice.get(), workbench.pinned.get()]).toEqual(['buffers', 'lifetime', 2])
    const asked = ui.askedViewport.get()
    for (const [edge, span] of [
      ['t0', 66],
      ['t1', 66],
      ['b0', 78],
      ['b1', 78],
    ] as const) {
      expect(Math.abs((asked?.[edge] ?? Number.NaN) - shown[edge])).toBeLessThan(span / 4000)
    }
    // rounded once, it stays where it is
    ui.viewport.set(asked)
    expect(viewNow()).toEqual(look)
  })

  it('passes over what this version does not have', () => {
    workbench.opened.set({ problem: { count: 3 } as Problem, source: { kind: 'none' }, text: '' })
    showView({ viewport: null, tab: 'hologram', colour: 'smell', pinned: [3] })
    expect([ui.tab.get(), workbench.colourChoice.get(), workbench.pinned.get()]).toEqual(['step', null, -1])
    showView({ viewport: null, tab: 'constructor', colour: 'toString', pinned: [] })
    expect([ui.tab.get(), workbench.colourChoice.get()]).toEqual(['step', null])
  })
})

const suites = process.env.ARENASCOPE_BENCH
const folder = suites === undefined ? '' : join(suites, 'minimalloc')
const files = existsSync(folder) ? readdirSync(folder).filter((name) => /^[A-K]\.\d+\.csv$/.test(name)) : []

describe('links of the eleven challenging benchmarks', () => {
  it.skipIf(files.length === 0)('are each under 8 kB (needs ARENASCOPE_BENCH)', async () => {
    expect(files.length).toBe(11)
    for (const name of files) {
      const shared: Shared = parseShared({
        source: { kind: 'text', name, text: readFileSync(join(folder, name), 'utf8') },
        profile: null,
        solver: 'minimalloc',
        options: { preordering_heuristics: 'WAT', dynamic_decomposition: 'false' },
        capacity: 2 ** 20,
        seed: 1,
        budget: 10_000_000,
        step: 58942,
        digest: '0123456789abcdef',
        steps: 168813,
        ended: true,
        finalDigest: 'fedcba9876543210',
        checkpoints: Array.from({ length: 7 }, (_, k) => ({ step: 7000 * (k + 1), digest: `0${k}2a3b4c` })),
        view: { viewport: { t0: 0.1, t1: 99999.3, b0: 12345.6, b1: 654321.9 }, tab: 'step', colour: '', pinned: [3] },
      })
      expect((await encodeLink(shared)).length, name).toBeLessThan(8000)
    }
  })
})
