/** Solvers on a model's graph in the module: as in the command, and situations that cross when they change. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Core } from '../../wasm/client/core'
import type { Frame, ProfileSpec, RunConfig } from '../../wasm/client/types'
import { execute } from '../cli/small_shell'
import { TWO_BRANCHES } from '../two_branches'
import { makeCore } from './support'

const ROOT = join(import.meta.dirname, '../..')
const NATIVE = join(ROOT, 'build/native/arenascope')
const graph = (name: string) => join(ROOT, 'examples/graphs', `${name}.graph.csv`)
const RULES = ['least-growth', 'least-alive', 'depth-first', 'breadth-first', 'file']

/** Offsets and sizes in 16s. */
const PROFILE: ProfileSpec = { capacity: 0, reserved: 0, alignment: 16, alignBy: 'both', bank: 0, mayCross: true }

const config = (options: Record<string, string> = {}): RunConfig => ({
  solver: 'list-schedule',
  capacity: 2 ** 40,
  seed: 0,
  budget: 0,
  options,
})

function run(core: Core, text: string, options: Record<string, string> = {}, profile: ProfileSpec | null = null) {
  const opened = core.openGraph(text, {}, profile)
  if (!opened.ok) throw new Error(JSON.stringify(opened.errors))
  core.start(config(options))
  while (core.step(1000) === 'running');
  return { ...opened, ...core.result() }
}

const situation = (frame: Frame) => {
  if (frame.situation === undefined) throw new Error('no situation')
  return frame.situation
}

describe('list-schedule in the module', () => {
  let core: Core
  beforeAll(async () => {
    core = await makeCore()
  })

  test
    .skipIf(!existsSync(NATIVE))
    .each(['squeezenet1_1', 'resnet50_fpn', 'blazeface'].flatMap((name) => RULES.map((rule) => [name, rule] as const)))(
    '%s by %s takes the same steps as the command',
    (name, rule) => {
      const { stats } = run(core, readFileSync(graph(name), 'utf8'), { rule })
      const flags = ['--json', '--solver=list-schedule', `--capacity=${2 ** 40}`, `--rule=${rule}`, graph(name)]
      const said = JSON.parse(execute(NATIVE, ['solve', ...flags]).stdout)
      expect([stats.digest, stats.steps, stats.height]).toEqual([said.digest, said.steps, said.height])
    },
  )

  test('each step has a situation, whose executed part stays', () => {
    const { stats, model } = run(core, TWO_BRANCHES)
    expect(stats.steps).toBe(model.ops.count + 1)
    const last = situation(core.seek(stats.steps, 0, 0))
    for (let step = 0; step <= model.ops.count; step++) {
      const now = situation(core.seek(step, 0, 0))
      expect([now.frontier, now.revision]).toEqual([step, step])
      expect([...now.order.subarray(0, step)]).toEqual([...last.order.subarray(0, step)])
      expect([...now.order].sort()).toEqual([0, 1, 2, 3, 4])
      expect(now.problem.lowerBound).toBe(stats.lowerBound)
      for (let b = 0; b < now.problem.count; b++)
        if (now.problem.lower[b]! < step) expect(now.problem.lower[b]).toBe(last.problem.lower[b])
    }
    expect([...last.order]).toEqual([1, 3, 0, 2, 4])
  })

  test('a step looked at again is as it was, and its situation is not asked for twice', () => {
    run(core, TWO_BRANCHES)
    const three = core.seek(3, 1, 1)
    expect(core.seek(3, 1, 1)).toEqual(three)
    expect(situation(core.seek(3, 0, 0)).problem).toBe(situation(core.seek(3, 2, 0)).problem)
    core.seek(5, 0, 0)
    expect(core.seek(3, 1, 1)).toEqual(three)
  })

  test('at the end the buffers have addresses, which are the plan', () => {
    const { best, stats } = run(core, TWO_BRANCHES)
    const end = core.seek(stats.steps, 1, 0)
    expect(end.events.map(({ kind }) => kind)).toEqual(['allocate'])
    expect(end.offset).toEqual(best)
    expect(end.top).toBe(stats.height)
    expect([...core.seek(stats.steps - 1, 0, 0).offset].every((offset) => offset === -1)).toBe(true)
    expect(core.exportCsv(best)).toMatch(/^id,lower,upper,size,offset\nx,0,3,4,\d+\na,2,4,8,/)
  })

  test('a profile is applied in the core: to the problem, to every situation, not to what is written', () => {
    const { problem, best, stats } = run(core, TWO_BRANCHES, {}, PROFILE)
    expect([...problem.size]).toEqual([16, 16, 16, 16, 16, 16, 16])
    expect([...situation(core.seek(2, 0, 0)).problem.size]).toEqual([...problem.size])
    expect(best?.every((offset) => offset % 16 === 0)).toBe(true)
    expect(stats.height % 16).toBe(0)
    expect(core.exportCsv(best)).toContain('\nx,0,3,4,')
    expect(run(core, TWO_BRANCHES).problem.size[0]).toBe(4)
  })

  test('a graph that no profile fits changes nothing', () => {
    run(core, TWO_BRANCHES)
    const bank: ProfileSpec = { ...PROFILE, alignment: 1, alignBy: 'offset', bank: 6, mayCross: false }
    expect(core.openGraph(TWO_BRANCHES, {}, bank)).toMatchObject({ ok: false, total: 1 })
    expect(core.seek(2, 0, 0).step).toBe(2)
  })

  test('solvers of buffers work on the lowering as before, graph solvers on no buffers', () => {
    const opened = core.openGraph(TWO_BRANCHES, {})
    expect(opened.ok).toBe(true)
    core.start({ ...config(), solver: 'greedy' })
    core.step(100)
    expect(core.now().situation).toBeUndefined()
    core.open('id,lower,upper,size\na,0,2,4\n')
    expect(() => core.start(config())).toThrow('this solver takes a model’s graph, not buffers'.replace('’', "'"))
  })
})
