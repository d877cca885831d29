/** Solvers on a model's graph, and the trace. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { entryOf, generate, type Options } from '../../examples/zoo'
import { writeGraphCsv } from '../../web/src/import/graph_csv'
import { TWO_BRANCHES } from '../two_branches'
import { arenascope, example, folder, solveJson } from './command'

const model = join(folder, 'schedule.graph.csv')
writeFileSync(model, TWO_BRANCHES)

const run = (...args: string[]) => arenascope(['solve', model, '--solver=list-schedule', ...args])

describe('list-schedule', () => {
  it('says in which order the operators run, and what begins with each', () => {
    const answer = run('--capacity=21', '--validate')
    expect(answer.code).toBe(0)
    expect(answer.out).toContain('  peak         20\n')
    expect(answer.out).toContain('validation   PASS')
    const table = answer.out.slice(answer.out.indexOf('    time')).split('\n')
    expect(table.slice(1, 4).map((row) => row.trim().split(/ +/))).toEqual([
      ['0', 'c0', 'x', 'c'],
      ['1', 'c1', 'd'],
      ['2', 'a0', 'a', 'a0:workspace'],
    ])
  })

  it('gives plan and order as JSON, by each rule', () => {
    const order = (rule: string) =>
      solveJson([model, '--solver=list-schedule', '--capacity=64', `--rule=${rule}`]) as unknown as {
        order: string[]
        peak: number
      }
    expect(order('file')).toMatchObject({ order: ['a0', 'c0', 'a1', 'c1', 'end'], peak: 21 })
    expect(order('depth-first')).toMatchObject({ order: ['a0', 'a1', 'c0', 'c1', 'end'], peak: 18 })
    expect(order('least-growth')).toMatchObject({ order: ['c0', 'c1', 'a0', 'a1', 'end'], peak: 20 })
  })

  it('writes the buffers of its order, which can be checked as any plan', () => {
    const output = join(folder, 'schedule.plan.csv')
    expect(run('--capacity=64', '--rule=depth-first', `--output=${output}`).code).toBe(0)
    expect(readFileSync(output, 'utf8')).toMatch(/^id,lower,upper,size,offset\nx,0,3,4,\d+\na,0,2,8,\d+\nb,1,5,5,/)
    expect(arenascope(['check', output, '--capacity=64']).code).toBe(0)
  })

  it('goes by the memory of a profile', () => {
    const answer = solveJson([
      model,
      '--solver=list-schedule',
      '--profile=arm-ethos-u55-corstone300',
      '--capacity=4096',
    ])
    expect(answer).toMatchObject({ code: 0, outcome: expect.stringMatching(/optimal|feasible/) })
  })

  it('keeps buffers and graphs apart', () => {
    const buffers = arenascope(['solve', example('five.csv'), '--solver=list-schedule', '--capacity=64'])
    expect(buffers.code).toBe(2)
    expect(buffers.err).toContain('is a buffer CSV, whose lifespans are given')
    expect(run('--capacity=64', '--goal=height').err).toContain('list-schedule cannot be asked for "height"')
    expect(arenascope(['solve', model, '--solver=greedy', '--capacity=64']).code).toBe(0)
  })

  it('is among the solvers, with what it takes', () => {
    expect(arenascope(['solvers']).out).toMatch(/list-schedule +List schedule; of a model's graph/)
    const all = JSON.parse(arenascope(['solvers', '--json']).out) as { id: string; domain: string }[]
    expect(all.filter((solver) => solver.domain === 'graph').map((solver) => solver.id)).toEqual([
      'list-schedule',
      'cosma',
    ])
  })
})

describe('--trace', () => {
  it('tells each step of a schedule with the names of operators and buffers', () => {
    const file = join(folder, 'schedule.trace')
    expect(run('--capacity=64', `--trace=${file}`).code).toBe(0)
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    expect(lines[0]).toBe('0 ready op=a0 live=15 after=12 index=1 of=2')
    expect(lines).toContain('1 schedule op=c0 time=0 ready=2 live=12 after=12 peak=12: x c')
    expect(lines.at(-1)).toMatch(/^6 allocate height=20 peak=20 steps=\d+: x a b c d y a0:workspace$/)
  })

  it('tells those of a solver of buffers, one for each step', () => {
    const answer = arenascope([
      'solve',
      example('ten.csv'),
      '--solver=first-fit',
      '--capacity=30',
      '--trace=-',
      '--json',
    ])
    const lines = answer.out.trimEnd().split('\n')
    const { steps } = JSON.parse(lines.pop() ?? '') as { steps: number }
    expect(lines[0]).toMatch(/^1 place buffer=b\d+ offset=0 support=- of=1 again=0/)
    expect(new Set(lines.map((line) => line.split(' ')[0]).filter((step) => step !== '0')).size).toBe(steps)
  })

  it('complains of a file that cannot be written', () => {
    const answer = run('--capacity=64', '--trace=/nowhere/trace')
    expect(answer.code).toBe(2)
    expect(answer.err).toContain('/nowhere/trace')
  })
})

describe('cosma', () => {
  const solve = (capacity: number, ...args: string[]) =>
    solveJson([
      model,
      '--solver=cosma',
      '--goal=traffic',
      `--capacity=${capacity}`,
      '--validate',
      ...args,
    ]) as unknown as {
      outcome: string
      traffic: number
      lowerBound: number
      valid: boolean
    }

  it('moves nothing where an order fits, and proves the least where none does', () => {
    expect(solve(18)).toMatchObject({ outcome: 'optimal', traffic: 0, lowerBound: 0, valid: true })
    expect(solve(15)).toMatchObject({ outcome: 'optimal', traffic: 14, lowerBound: 14, valid: true })
  })

  it('keeps to the given order if asked, and refuses an operator that does not fit', () => {
    expect(solve(18, '--schedule=file')).toMatchObject({ outcome: 'feasible', traffic: 32, valid: true })
    const answer = arenascope(['solve', model, '--solver=cosma', '--goal=traffic', '--capacity=14'])
    expect(answer.out).toContain('infeasible')
  })

  const networks: [string, Options, [number, number][]][] = [
    [
      'vit_b_16',
      {},
      [
        [931_416, 7_262_208],
        [1_082_712, 3_631_104],
        [1_234_008, 0],
      ],
    ],
    [
      'amoebanet_d',
      {},
      [
        [1_956_864, 2_364_544],
        [2_262_624, 1_956_864],
        [2_568_384, 0],
      ],
    ],
    [
      'transformer',
      { size: 10, batch: 32, fuse: false },
      [
        [2_867_200, 3_932_160],
        [3_112_960, 0],
      ],
    ],
  ]
  it.each(networks)('proves the least traffic of %s at M_R, M_H and M_P', async (id, options, known) => {
    const entry = entryOf(id)
    if (!entry) throw new Error(id)
    const path = join(folder, `${id}.graph.csv`)
    writeFileSync(path, writeGraphCsv(await generate(entry, { ...options, weights: false })))
    for (const [capacity, traffic] of known)
      expect(
        solveJson([path, '--solver=cosma', '--goal=traffic', `--capacity=${capacity}`, '--validate']),
      ).toMatchObject({
        outcome: 'optimal',
        traffic,
        valid: true,
      })
  })
})
