/** Solvers on a model's graph, and the trace. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
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
    expect(run('--capacity=64', '--goal=traffic', '--minimize').err).toContain('--minimize asks for the height')
    expect(arenascope(['solve', model, '--solver=greedy', '--capacity=64']).code).toBe(0)
  })

  it('is among the solvers, with what it takes', () => {
    expect(arenascope(['solvers']).out).toMatch(/list-schedule +List schedule; of a model's graph/)
    const all = JSON.parse(arenascope(['solvers', '--json']).out) as { id: string; domain: string }[]
    expect(all.filter((solver) => solver.domain === 'graph').map((solver) => solver.id)).toEqual([
      'list-schedule',
      'cosma',
      'replacement',
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

  it('names the operators between cuts', () => {
    const trace = ['--capacity=15', '--goal=traffic', '--cuts=2', '--trace=-']
    const { out } = arenascope(['solve', model, '--solver=cosma', ...trace])
    expect(out.split('\n').filter((line) => /^\d+ cut/.test(line))).toEqual([
      expect.stringMatching(/^\d+ cut parts=2$/),
      expect.stringMatching(/^\d+ cut-at nth=1 of=1 op=a1 time=2 live=9: a0 a1$/),
    ])
  })

  it('finds the plan there is whatever the seed, where large does not', () => {
    const path = join(folder, 'tight.graph.csv')
    writeFileSync(path, inTurn(readFileSync(example('synthetic-40.csv'), 'utf8')))
    const fits = (seed: number, ...flags: string[]) =>
      solveJson([path, '--solver=list-schedule', '--rule=file', '--capacity=1096985002', `--seed=${seed}`, ...flags])
        .outcome
    const seeds = [0, 1]
    for (const seed of seeds) expect(['feasible', 'optimal']).toContain(fits(seed))
    expect(seeds.map((seed) => fits(seed, '--allocator=large'))).toContain('over-capacity')
  })

  it('complains of a file that cannot be written', () => {
    const answer = run('--capacity=64', '--trace=/nowhere/trace')
    expect(answer.code).toBe(2)
    expect(answer.err).toContain('/nowhere/trace')
  })
})

/** Buffers as a graph: an operator for each time, which makes and reads them; a byte handed on keeps them in turn. Sizes are thousandfold. */
function inTurn(csv: string): string {
  const rows = csv.trim().split('\n').slice(1)
  const buffers = rows.map((row) => row.split(',')).map(([id = '', ...n]) => ({ id, n: n.map(Number) }))
  const end = Math.max(...buffers.map(({ n }) => n[1] ?? 0))
  const ids = (chosen: typeof buffers) => chosen.map(({ id }) => id)
  const tensors = buffers.map(({ id, n }) => `tensor,${id},${(n[2] ?? 0) * 1000}`)
  const tokens = Array.from({ length: end }, (_, t) => `tensor,token${t},1`)
  const ops = tokens.map((_, t) => {
    const reads = ids(buffers.filter(({ n }) => n[1] === t + 1 && n[0] !== t))
    const makes = ids(buffers.filter(({ n }) => n[0] === t))
    if (t > 0) reads.push(`token${t - 1}`)
    return `op,op${t},Any,${reads.join(';')},${[...makes, `token${t}`].join(';')}`
  })
  return `${[...tensors, ...tokens, ...ops].join('\n')}\n`
}

/** The file of a network's graph without weights. */
async function network(id: string, options: Options): Promise<string> {
  const entry = entryOf(id)
  if (!entry) throw new Error(id)
  const path = join(folder, `${id}.graph.csv`)
  writeFileSync(path, writeGraphCsv(await generate(entry, { ...options, weights: false })))
  return path
}

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
    expect(answer.err).toContain(
      'operator a0 needs 15 bytes at once, and the capacity is 14: x 4, a 8, a0:workspace 3\n',
    )
  })

  it('says what is lost where a graph has more operators than are searched whole', () => {
    const words = ['solve', model, '--solver=cosma', '--goal=traffic', '--capacity=15', '--cuts=0', '--whole=4']
    const answer = arenascope(words)
    expect(answer.out).toMatch(/^feasible/)
    expect(answer.err).toContain('5 operators are more than 4 (--whole): searched through cuts alone')
    expect(arenascope([...words.slice(0, -1), '--whole=0']).err).not.toContain('through cuts')
  })

  it('writes a row for each operator and each stay, which check replays', () => {
    const output = join(folder, 'stays.csv')
    const answer = solveJson([model, '--solver=cosma', '--goal=traffic', '--capacity=15', `--output=${output}`])
    expect(answer).toMatchObject({ traffic: 14, spilled: 5, fetched: 9, footprint: 15, bound: 14 })
    const { order, schedule } = answer as unknown as { order: string[]; schedule: string[] }
    expect(schedule).toEqual(order)
    const rows = readFileSync(output, 'utf8').trimEnd().split('\n')
    expect(rows[0]).toBe('tensor,turn,pool,lower,upper,size,offset')
    expect(rows.slice(1, 6)).toEqual(order.map((op, k) => `${op},${k},run,${k},${k + 1},0,`))
    expect(rows.some((row) => /^\w+,0,outside,\d,\d,\d,$/.test(row))).toBe(true)
    const flags = [`--problem=${model}`, '--capacity=15']
    expect(arenascope(['check', output, ...flags])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^valid: \d+ stays, height 15, traffic 14\n$/),
    })
    expect(arenascope(['check', output, `--problem=${model}`, '--capacity=14']).out).toContain('outside: ')
    expect(JSON.parse(arenascope(['check', output, ...flags, '--json']).out)).toMatchObject({
      valid: true,
      traffic: 14,
    })
  })

  it('finds fault with a plan whose copies are missing, and with rows that are none', () => {
    const output = join(folder, 'stays.csv')
    solveJson([model, '--solver=cosma', '--goal=traffic', '--capacity=15', `--output=${output}`])
    const text = readFileSync(output, 'utf8')
    const check = (changed: string, ...flags: string[]) => arenascope(['check', '-', ...flags], changed)
    const given = `--problem=${model}`
    const without = text.replace(/^.*,outside,.*\n/gm, '')
    expect(check(without, given)).toMatchObject({ code: 1, out: expect.stringContaining('unmade: ') })
    expect(check(text.replace(/^(a0,.*\n)(.*\n)/m, '$2$1'), given).err).toContain('operators in the order')
    expect(check(text.replace(',arena,', ',sky,'), given).err).toMatch(
      /:\d+: pool: is "sky", expected arena, outside or run/,
    )
    expect(check(text.replace(/^x,/m, 'z,'), given).err).toContain('tensor: is "z", expected a tensor of the graph')
    expect(check(text.replace(/,run,0,1,0,\n/, ',run,0,1\n'), given).err).toContain(
      'has not the 7 fields of the header',
    )
    expect(check(text).err).toContain('which --problem has to name')
    expect(check(text.split('\n').slice(0, 3).join('\n'), given).err).toContain(
      "2 operators run, expected the graph's 5",
    )
  })

  it('refuses by name what cannot be had of stays', () => {
    const refused = (...args: string[]) => {
      const { code, err } = arenascope(['solve', model, '--solver=cosma', '--goal=traffic', ...args])
      expect(code).toBe(2)
      return err
    }
    for (const name of ['plan.json', 'plan.h', 'plan.tex']) {
      const path = join(folder, name)
      expect(refused('--capacity=15', `--output=${path}`)).toContain(`--output: ${path} is no name of a CSV`)
      expect(existsSync(path)).toBe(false)
    }
    expect(refused('--capacity=15', '--for_sheets')).toContain('--for_sheets: is for a CSV of buffers')
    expect(refused('--minimize_capacity')).toContain('--minimize_capacity: looks for the least height')
  })

  it('draws every stay of a tensor, and bounds what it minimises', () => {
    const flags = ['--solver=cosma', '--goal=traffic', '--capacity=15', '--validate']
    const drawn = arenascope(['solve', model, ...flags, '--print_solution'])
    const stays = drawn.out.split('\n').filter((line) => line.startsWith('  % '))
    expect(stays.length).toBe(9)
    expect(stays.filter((line) => /^ {2}% b(:2)?: 5 bytes at \d+$/.test(line)).length).toBe(2)
    expect(drawn.err).toContain('lower bound  14, of the traffic')
    expect(solveJson([model, ...flags])).toMatchObject({ height: 15, upperBound: 14, lowerBound: 14, valid: true })
  })

  it('hands in the best plan when its time is over', async () => {
    const path = await network('nasnet_a_mobile', {})
    const flags = ['--goal=traffic', '--capacity=required', '--steps=1500', '--validate']
    expect(solveJson([path, '--solver=cosma', ...flags])).toMatchObject({
      outcome: 'feasible',
      ended: 'budget-spent',
      traffic: 1_099_008,
      valid: true,
    })
  })

  it('knows M_R, M_H and M_P: of all orders, not of some', async () => {
    const path = await network('nasnet_a_mobile', {})
    const capacity = (which: string) =>
      solveJson([path, '--solver=replacement', '--goal=traffic', `--capacity=${which}`]).capacity
    expect(['required', 'half', 'peak'].map(capacity)).toEqual([544_800, 614_917, 685_035])
  })

  /** File order and order of least peak, each by Belady's rule and greedily. */
  const schemes: [string, Options, number, number[]][] = [
    ['darts_cifar', {}, 294_912, [4_644_864, 5_345_280, 1_916_928, 1_916_928]],
    ['darts_cifar', {}, 313_344, [4_497_408, 5_050_368, 1_916_928, 1_916_928]],
    ['darts_cifar', {}, 331_776, [3_317_760, 3_465_216, 1_916_928, 1_916_928]],
    ['transformer', { size: 10, batch: 32, fuse: false }, 2_621_440, Array(4).fill(20_643_840)],
    ['resnet50', {}, 2_408_448, Array(4).fill(9_633_792)],
  ]
  it.each(schemes)('%s %o at %d: what is copied out as operators go by', async (id, options, capacity, expected) => {
    const path = await network(id, options)
    const traffic = ['file', 'least-peak'].flatMap((schedule) =>
      ['belady', 'greedy'].map((replacement) => {
        const flags = [`--schedule=${schedule}`, `--replacement=${replacement}`, `--capacity=${capacity}`, '--validate']
        const answer = solveJson([path, '--solver=replacement', '--goal=traffic', ...flags])
        expect(answer).toMatchObject({ outcome: 'feasible', valid: true })
        return (answer as unknown as { traffic: number }).traffic
      }),
    )
    expect(traffic).toEqual(expected)
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
      'nasnet_a_mobile',
      {},
      [
        [544_800, 374_550],
        [614_917, 172_480],
        [685_035, 0],
      ],
    ],
    [
      'darts_cifar',
      {},
      [
        [294_912, 442_368],
        [313_344, 405_504],
        [331_776, 0],
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
    const path = await network(id, options)
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
