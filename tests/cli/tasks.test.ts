/** Task lists: tensors whose tiles live for different times. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { arenascope, folder, read, solveJson } from './command'

/** Layers on four rows, row by row: a row needs so many above and below, and ways says of each layer whether it goes forward. */
function rows(halo: number, ways: string, channels = 32): string {
  const names = 'abc'.slice(0, ways.length + 1)
  const tensors = [...names].map((name) => `tiled,${name},1,1x${channels}x4x1,NC32HW32\n`)
  const box = (name: string, low: number, high: number) =>
    `${name}@0:1x0:${channels}x${Math.max(0, low)}:${Math.min(4, high)}x0:1`
  const tasks = [...ways].flatMap((way, k) =>
    [0, 1, 2, 3].map((n) => {
      const row = way === 'f' ? n : 3 - n
      const [from = '', to = ''] = [names[k], names[k + 1]]
      return `task,${to}${row},${box(from, row - halo, row + halo + 1)},${box(to, row, row + 1)}\n`
    }),
  )
  return [...tensors, ...tasks].join('')
}

const tasks = join(folder, 'tasks.csv')
writeFileSync(tasks, rows(1, 'ff'))
const plan = join(folder, 'plan.csv')

describe('a task CSV', () => {
  it('is solved by taa, and its plan is judged by a replay of all tasks', () => {
    const best = solveJson([tasks, '--solver=taa', '--capacity=1024', '--minimize', '--validate', `--output=${plan}`])
    expect(best).toMatchObject({ code: 0, height: 192, buffers: 3, valid: true, lowerBound: 160 })
    expect(read(plan)).toContain('id,lower,upper,size,shape,offset\n')
    expect(arenascope(['check', plan, '--capacity=192']).code).toBe(0)
    const forward = solveJson([tasks, '--solver=taa', '--capacity=1024', '--order=forward', '--validate'])
    expect(forward).toMatchObject({ height: 256, valid: true })
  })

  it('takes one layer over the other where there is no halo, and more as the paper prints it', () => {
    const unary = rows(0, 'ff')
    const height = (...args: string[]) => solveJson(['-', '--capacity=1024', '--validate', ...args], unary).height
    expect(height('--solver=taa')).toBe(128)
    expect(height('--solver=greedy', '--whole')).toBe(256)
    expect(height('--solver=shared-objects', '--whole')).toBe(256)
    // with two blocks of channels a tile is two chunks, which touch those of the next tile
    const blocks = (...args: string[]) =>
      solveJson(['-', '--solver=taa', '--capacity=1024', '--validate', ...args], rows(0, 'ff', 64))
    expect(blocks()).toMatchObject({ height: 256, valid: true })
    expect(blocks('--as_printed').height).toBeGreaterThan(256)
    expect(blocks('--as_printed').valid).toBe(true)
  })

  it('is solved with a proof by taa-exact', () => {
    const lists = [
      { text: rows(1, 'ff'), height: 192 },
      { text: rows(1, 'fb'), height: 160 },
      { text: rows(2, 'f'), height: 192 },
    ]
    for (const { text, height } of lists) {
      const least = solveJson(['-', '--solver=taa-exact', '--minimize', '--capacity=1024', '--validate'], text)
      expect(least).toMatchObject({ code: 0, outcome: 'optimal', height, lowerBound: height, valid: true })
      const below = solveJson(['-', '--solver=taa-exact', `--capacity=${height - 1}`], text)
      expect(below).toMatchObject({ outcome: 'infeasible', height: null })
    }
    const args = [tasks, '--solver=taa-exact', '--as-printed', '--order=reverse', '--capacity=1024', '--minimize']
    expect(solveJson([...args, '--validate', `--output=${plan}`])).toMatchObject({ height: 192, valid: true })
    expect(arenascope(['check', plan, '--capacity=192']).code).toBe(0)
    expect(arenascope(['check', plan, '--capacity=191']).code).not.toBe(0)
  })

  it('has a table of what plans come to', () => {
    const answer = arenascope(['stats', tasks, '--plans', '--json'])
    const { plans } = JSON.parse(answer.out)
    const heights = Object.entries(plans).map(([id, of]) => [
      id,
      typeof of === 'number' ? of : (of as { height: number }).height,
    ])
    expect(Object.fromEntries(heights)).toEqual({
      sharedObjects: 256,
      wholeBySize: 256,
      printed: 256,
      orders: 256,
      best: 192,
      optimum: 192,
      load: 160,
    })
    expect(plans.optimum).toMatchObject({ proven: true, lowerBound: 192 })
    const told = arenascope(['stats', tasks, '--plans']).out
    expect(told).toContain('shared objects                      256')
    expect(told).toMatch(/optimum +192 +-25\.0 %/)
    const other = arenascope(['stats', '-', '--plans'], 'id,lower,upper,size\na,0,1,4\n')
    expect(other.code).not.toBe(0)
    expect(other.err).toContain('--plans: is of a task CSV')
  })

  it('counts inputs and outputs if it is told to', () => {
    const text = 'tiled,x,1,8,,input\ntiled,y,1,8\ntiled,z,1,8,,output\ntask,s,x,y\ntask,t,y,z\n'
    const buffers = (...args: string[]) => solveJson(['-', '--solver=taa', '--capacity=64', ...args], text).buffers
    expect(buffers()).toBe(1)
    expect(buffers('--io')).toBe(3)
  })

  it('is refused by line', () => {
    const answer = arenascope(
      ['solve', '-', '--solver=taa', '--capacity=9'],
      'tiled,x,1,8\ntiled,y,1,8\ntask,s,,x@0:9\n',
    )
    expect(answer.code).not.toBe(0)
    expect(answer.err).toContain('-:3:9: writes has 0:9, expected a range inside 0:8')
    const early = arenascope(['solve', '-', '--solver=taa', '--capacity=9'], 'tiled,x,1,8\ntask,s,x@0:4,\ntask,t,,x\n')
    expect(early.err).toContain('-:2:6: reads of “x” has a part of a tensor that no task wrote before')
  })

  it('is about shapes, which not every solver honours', () => {
    const answer = arenascope(['solve', tasks, '--solver=minimalloc', '--capacity=1024'])
    expect(answer.code).not.toBe(0)
    expect(answer.err).toContain('shape')
  })
})
