/** What lives in fast memory, from the command line: the plan that is written is one of two pools, and says what the JSON says. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { arenascope, folder } from './command'

const graph = 'examples/graphs/resnet50_fpn.graph.csv'

interface Chosen {
  count: number
  fast: number
  bytes: number
  fastBytes: number
  repacks: number
  repacked: number
  speedUp: number
  buffers: { id: string; bytes: number; verdict: string; offset?: number }[]
}

function chosen(...flags: string[]): Chosen {
  const { code, out } = arenascope(['select', graph, '--json', ...flags])
  expect(code).toBe(0)
  return JSON.parse(out) as Chosen
}

describe('what lives in fast memory', () => {
  it('is a plan of two pools', () => {
    const plan = join(folder, 'fast.csv')
    const said = chosen('--capacity=half', '--repacker=exact', `--output=${plan}`)
    expect(said.repacked).toBeGreaterThan(0)
    const fast = said.buffers.filter(({ offset }) => offset !== undefined)
    expect(fast).toHaveLength(said.fast)
    expect(fast.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(said.fastBytes)
    expect(said.speedUp).toBeCloseTo(said.bytes / (said.bytes - 0.9 * said.fastBytes), 5)
    const rows = readFileSync(plan, 'utf8')
    for (const { id, offset } of fast) expect(rows).toMatch(new RegExp(`^${id},.*,fast,${offset}$`, 'm'))
    expect(arenascope(['check', plan, '--capacity=1GiB']).out).toMatch(/^valid: /)
  })

  it('is never less for a repacker that is asked for the first time', () => {
    const without = chosen('--capacity=half', '--repacker=none')
    expect(without.repacks).toBe(0)
    const once = chosen('--capacity=half', '--repacker=telamalloc', '--most_repacks=1', '--restarts=5')
    expect(once.repacks).toBe(1)
    expect(once.fast).toBeGreaterThanOrEqual(without.fast)
  })

  it('refuses what it does not know', () => {
    const refusal = (...flags: string[]) => {
      const { code, err } = arenascope(['select', ...flags])
      expect(code).toBe(2)
      return err
    }
    expect(refusal('examples/five.csv', '--capacity=8')).toMatch(/no graph CSV/)
    expect(arenascope(['solve', '--solver=select', 'examples/five.csv']).err).toMatch(
      /two memories, see arenascope select\n$/,
    )
    expect(refusal(graph)).toMatch(/--capacity: is missing/)
    expect(refusal(graph, '--capacity=half', '--repacker=cosma')).toMatch(/--repacker: is "cosma"/)
    expect(refusal(graph, '--capacity=half', '--repack=all')).toMatch(/--repack: is "all"/)
    expect(refusal(graph, '--capacity=half', '--ratio=0')).toMatch(/ratio/)
    expect(refusal(graph, '--capacity=half', '--repacker=telamalloc', '--restarts=x')).toMatch(/restarts/)
    expect(refusal(graph, '--capacity=half', '--colour=red')).toMatch(/colour/)
  })

  it('has one goal as a solver, in words and in JSON', () => {
    expect(arenascope(['solvers', 'select']).out).toMatch(/^ {2}goals: traffic$/m)
    expect(arenascope(['solvers', 'exact']).out).toMatch(/^ {2}goals: fit height$/m)
    const all = JSON.parse(arenascope(['solvers', '--json']).out)
    const goals = Object.fromEntries(
      (all.solvers ?? all).map((one: { id: string; goals: string[] }) => [one.id, one.goals]),
    )
    expect([goals.select, goals.exact]).toEqual([['traffic'], ['fit', 'height']])
  })
})
