/** What is taken home of a graph's plan: it opens again, in the order that was found, and says where everything is. */
import { describe, expect, test } from 'vitest'
import { reorderedGraph, scheduleJson, staysCsv } from '../../web/src/export/schedule'
import { config, makeCore } from './support'

/** Two branches behind x, each a large tensor and a small one: in 15 bytes something has to move. */
const GRAPH = `# a comment
tensor,x,4,input
tensor,a,8
tensor,b,5
op,c0,"Conv, wide",x,c
tensor,c,8
tensor,d,5
tensor,y,2,output
op,a0,Conv,x,a,,,3
op,a1,Pool,a,b
op,c1,Pool,c,d
op,end,Add,b;d,y`

async function planned(goal: 'traffic' | 'height', capacity: number, text = GRAPH) {
  const core = await makeCore()
  const opened = core.openGraph(text, {})
  if (!opened.ok) throw new Error(JSON.stringify(opened.errors))
  const settings = { ...config('cosma', capacity), goal }
  core.start(settings)
  while (core.step(1000) === 'running');
  const { stats, plan } = core.result()
  if (!plan) throw new Error('no plan')
  return { name: 'branches', ...opened, plan, config: settings, stats }
}

describe('a schedule', () => {
  test('names the operators in order, and what moves', async () => {
    const made = JSON.parse(scheduleJson(await planned('traffic', 15)))
    expect(made).toMatchObject({
      format: 'arenascope-schedule',
      problem: { name: 'branches', operators: 5 },
      run: { solver: 'cosma', goal: 'traffic', capacity: 15, outcome: 'optimal' },
      traffic: 14,
      bound: 14,
    })
    expect(made.spilled + made.fetched).toBe(14)
    expect([...made.schedule].sort()).toEqual(['a0', 'a1', 'c0', 'c1', 'end'])
    expect(made.schedule.at(-1)).toBe('end')
    expect(made.moves.length).toBe(3)
  })

  test('is the order of the graph that is written, and no other line moves', async () => {
    const found = await planned('height', 15)
    const text = reorderedGraph(GRAPH, found.plan)
    const again = await planned('height', 15, text)
    expect(again.model.ops.ids).toEqual(JSON.parse(scheduleJson(found)).schedule)
    const others = (csv: string) => csv.split('\n').filter((line) => !line.startsWith('op,'))
    expect(others(text)).toEqual(others(GRAPH))
    // in that order it needs no more than the plan
    expect(again.problem.lowerBound).toBeLessThanOrEqual(found.stats.height)
  })

  test('cannot be written into a text whose lines it does not know', async () => {
    const { plan } = await planned('height', 15)
    expect(() => reorderedGraph('op,one,Conv,x,y\n', plan)).toThrow('cannot be reordered as text')
  })
})

describe('the stays', () => {
  test('have a row each, behind what runs when', async () => {
    const found = await planned('traffic', 15)
    const rows = [...staysCsv(found)].join('').trimEnd().split('\n')
    expect(rows[0]).toBe('tensor,turn,pool,lower,upper,size,offset')
    expect(rows.slice(1, 6).map((row) => row.split(',')[2])).toEqual(['run', 'run', 'run', 'run', 'run'])
    expect(rows.length).toBe(1 + 5 + found.plan.stays.count)
    const copied = rows.filter((row) => row.startsWith('b,') || row.startsWith('d,'))
    expect(copied.some((row) => /^[bd],0,outside,\d+,\d+,5,$/.test(row))).toBe(true)
    expect(copied.some((row) => /^[bd],1,arena,\d+,\d+,5,\d+$/.test(row))).toBe(true)
    expect(rows.some((row) => /^a0:workspace,0,arena,\d+,\d+,3,\d+$/.test(row))).toBe(true)
  })
})
