/** What is taken home as JSON and as words. */
import { describe, expect, it } from 'vitest'
import type { RunStats } from '../../../wasm/client/types'
import type { Facts } from '../../../web/src/export/facts'
import { forSheets, mayCompute, mayComputeIn } from '../../../web/src/export/for_sheets'
import { escapeMarkdown, resultMarkdown } from '../../../web/src/export/markdown'
import { planJson as writeJson } from '../../../web/src/export/plan_json'
import { inPools } from '../support/fake'
import { problemOf } from '../support/layout_fixture'

const planJson = (...args: Parameters<typeof writeJson>) => [...writeJson(...args)].join('')

const stats: RunStats = {
  outcome: 'optimal',
  steps: 12345,
  backtracks: 6,
  nodes: 7,
  digest: '0123456789abcdef',
  skipped: 0,
  depth: 2,
  maxDepth: 2,
  maxDepthStep: 2,
  height: 5120,
  lowerBound: 5120,
  rules: [],
  restarts: 0,
  cost: -1,
  seconds: 0.5,
}

function facts(more: Partial<Facts> = {}): Facts {
  const problem = problemOf([
    [0, 3, 4096],
    [1, 9, 1024],
  ])
  problem.ids = ['a "quoted" \\ id', 'ж|b']
  const options = { check_dominance: 'false' }
  const config = { solver: 'minimalloc', options, capacity: 8192, seed: 7, budget: 0 }
  return {
    name: 'two_x',
    opened: { problem, source: { kind: 'text', name: 'two_x.csv' }, text: '' },
    capacity: 8192,
    profile: '',
    solver: { title: 'MiniMalloc' } as NonNullable<Facts['solver']>,
    run: { config, stats, outcome: 'Optimal', best: Float64Array.from([0, 4096]) },
    ...more,
  }
}

describe('a plan as JSON', () => {
  it('has the offsets, the height, the problem, and what made it', () => {
    const text = planJson(facts(), [0, 4096])
    expect(JSON.parse(text)).toEqual({
      format: 'arenascope-plan',
      version: 1,
      problem: {
        name: 'two_x',
        digest: '0000000000000000',
        buffers: 2,
        sections: 3,
        partitions: 1,
        lowerBound: 5120,
      },
      run: {
        solver: 'minimalloc',
        goal: 'fit',
        options: { check_dominance: 'false' },
        capacity: 8192,
        seed: 7,
        budget: 0,
        outcome: 'optimal',
        steps: 12345,
        backtracks: 6,
        digest: '0123456789abcdef',
      },
      height: 5120,
      buffers: [
        { id: 'a "quoted" \\ id', lower: 0, upper: 3, size: 4096, alignment: 1, offset: 0 },
        { id: 'ж|b', lower: 1, upper: 9, size: 1024, alignment: 1, offset: 4096 },
      ],
    })
    expect(planJson(facts(), [0, 4096])).toBe(text)
    expect(text.split('\n').filter((line) => line.includes('"offset"'))).toHaveLength(2)
  })

  it('says of several pools where each buffer lies, and the height of each', () => {
    const given = facts()
    const text = planJson(given, [64, 0], inPools(given.opened.problem, [1, 0]))
    const { height, pools, buffers } = JSON.parse(text)
    expect([height, pools]).toEqual([
      undefined,
      [
        { id: '', height: 1024 },
        { id: 'dram', height: 4160 },
      ],
    ])
    expect(buffers.map(({ pool, offset }: { pool: string; offset: number }) => [pool, offset])).toEqual([
      ['dram', 64],
      ['', 0],
    ])
  })

  it('names the memory, and has no run where there was none', () => {
    const read = JSON.parse(planJson(facts({ profile: 'Mine', run: null }), [4096, 0]))
    expect(read.problem.profile).toBe('Mine')
    expect(read.run).toBeNull()
    expect(read.height).toBe(8192)
  })
})

describe('a CSV for spreadsheets', () => {
  const written = (csv: string) => [...forSheets(csv)].join('')

  it('has an apostrophe before what would be computed, and nothing else is changed', () => {
    const csv =
      'id,lower,upper,size,note\n=1+1,0,1,-4,-\n"@a,""b""",-3,4,5.5,+7\nplain,0,1,2,"two\n=lines"\n-x,+1,-2,3,"\tt"\n'
    expect(mayCompute(csv)).toBe(true)
    expect(written(csv)).toBe(
      'id,lower,upper,size,note\n"\'=1+1",0,1,-4,"\'-"\n"\'@a,""b""",-3,4,5.5,+7\nplain,0,1,2,"two\n=lines"\n"\'-x",+1,-2,3,"\'\tt"\n',
    )
  })

  it('is not offered where nothing would be', () => {
    const csv = 'id,lower,upper,size\na,-5,0,4\nb=c,+5,7,1.5\n'
    expect(mayCompute(csv)).toBe(false)
    expect(written(csv)).toBe(csv)
    for (const id of ['=a', '+b', '-c', '@d', '"-"', '"=x"']) expect(mayCompute(`id,lower\n${id},0\n`)).toBe(true)
  })

  it('is looked for in pieces, wherever a piece ends', async () => {
    const pause = async () => true
    const long = `id,lower\n${'aé-b,-12\n'.repeat(20_000)}`
    for (const csv of [long, new Blob([long])]) expect(await mayComputeIn(csv, pause)).toBe(false)
    for (const csv of [`${long}=a,0`, new Blob([`${long}c,-d\n`, long])])
      expect(await mayComputeIn(csv, pause)).toBe(true)
  })
})

describe('a result as Markdown', () => {
  it('is a table with the link under it', () => {
    expect(resultMarkdown(facts({ profile: 'A_memory' }), 'https://example.org/#s1.abc')).toBe(
      [
        '| | |',
        '| --- | --- |',
        '| Problem | two\\_x, 2 buffers |',
        '| Capacity | 8 KiB (8,192 B) |',
        '| Lower bound | 5 KiB (5,120 B) |',
        '| Memory | A\\_memory |',
        '| Solver | MiniMalloc |',
        '| Options | `check_dominance=false` |',
        '| Seed | 7 |',
        '| Outcome | **Optimal** |',
        '| Height | 5 KiB (5,120 B) |',
        '| Fragmentation | 0.00 % |',
        '| Steps | 12,345 |',
        '| Backtracks | 6 |',
        '| Time | 0.50 s |',
        '| Digest | `0123456789abcdef` |',
        '',
        '[Open in Arenascope](https://example.org/#s1.abc)',
        '',
      ].join('\n'),
    )
  })

  it('claims nothing of a run that found no plan, or of none', () => {
    const lost = { ...stats, outcome: 'infeasible' as const, height: -1 }
    const run = facts().run
    const text = resultMarkdown(facts({ run: run && { ...run, stats: lost, outcome: 'Infeasible', best: null } }), '')
    expect(text).toContain('**Infeasible**')
    expect(text).not.toMatch(/Height|Fragmentation|Open in/)
    expect(resultMarkdown(facts({ run: null }), '')).not.toMatch(/Outcome|Steps/)
  })

  it('shows every letter as it is', () => {
    expect(escapeMarkdown('a|b_c*d`e`<f>[g](h)\nnext')).toBe('a\\|b\\_c\\*d\\`e\\`\\<f\\>\\[g\\]\\(h\\) next')
  })
})
