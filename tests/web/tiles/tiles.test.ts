/** What a task does to the pieces of a plan, its collisions, and memory as rows. */
import { describe, expect, it } from 'vitest'
import type { Problem, SearchEvent } from '../../../wasm/client/types'
import { collisionOf, tileMarks } from '../../../web/src/layout/tiles/tile_marks'
import { fragmentsAt, memoryAt, pitchOf } from '../../../web/src/layout/tiles/memory_rows'
import { wholeCsv } from '../../../web/src/run/tiles/whole'
import { makeCore } from '../../wasm/support'

/** Two tiles of two bytes each; what the second task reads it may write over. */
const TASKS = `tiled,in,1,4x1
tiled,out,1,4x1
task,s0,in@0:2x0:1,out@0:2x0:1
task,s1,in@2:4x0:1,out@2:4x0:1
task,s2,out,
`

async function opened(): Promise<Problem> {
  const result = (await makeCore()).open(TASKS)
  if (!result.ok) throw new Error(JSON.stringify(result.errors))
  return result.problem
}

describe('a task', () => {
  it('reads, lets go of and writes pieces', async () => {
    const problem = await opened()
    expect(tileMarks(problem, 0)).toEqual({ read: [0], released: [0], written: [2] })
    expect(tileMarks(problem, 1)).toEqual({ read: [1], released: [1], written: [3] })
  })

  it('is known by what begins and ends where its chunks are too many to be told', async () => {
    const problem = await opened()
    const blind = { ...problem, tasks: { ids: problem.tasks?.ids ?? [], chunks: null } }
    expect(tileMarks(blind, 1)).toEqual(tileMarks(problem, 1))
  })
})

describe('memory', () => {
  it('falls into rows of what its bounds have in common', () => {
    const cell = (from: number, to: number) => ({ from, to, buffer: 0, state: 'live' as const, turn: 0 })
    expect(pitchOf(96, [cell(0, 24), cell(36, 96)])).toBe(12)
    expect(pitchOf(1000, [cell(0, 1), cell(1, 1000)])).toBe(32)
  })

  it('holds what is alive while a task runs, what is written last', async () => {
    const problem = await opened()
    const rows = memoryAt(problem, Float64Array.of(0, 0), 4, 1, tileMarks(problem, 1))
    expect(rows).toMatchObject({ pitch: 2, rows: 2, base: 0 })
    expect(rows.cells.map(({ from, buffer, state }) => [from, buffer, state])).toEqual([
      [2, 0, 'released'],
      [0, 1, 'live'],
      [2, 1, 'written'],
    ])
  })

  it('of one tensor is its fragments, with what is gone and what is still to come', async () => {
    const problem = await opened()
    const states = (buffer: number, task: number) =>
      fragmentsAt(problem, Float64Array.of(0, 8), buffer, task, tileMarks(problem, task)).cells.map(
        ({ from, state, turn }) => [from, state, turn],
      )
    expect(states(1, 0)).toEqual([
      [2, 'coming', 1],
      [0, 'written', 0],
    ])
    expect(states(0, 1)).toEqual([
      [0, 'gone', 0],
      [2, 'released', 0],
    ])
  })
})

describe('a collision', () => {
  it('has the two chunks that share an address', async () => {
    const problem = await opened()
    const event = { kind: 'collide', step: 1, buffer: 1, offset: 1, other: 0, section: 1, address: 2, next: 2 }
    const found = collisionOf(problem, [event as unknown as SearchEvent], Float64Array.of(0, -1))
    expect(found).toEqual({ tried: { piece: 2, offset: 1 }, placed: { piece: 1, offset: 0 }, next: 2 })
    expect(collisionOf(problem, [], Float64Array.of(0, -1))).toBeNull()
  })

  it('of taa-exact has them where they were before the decision', async () => {
    const problem = await opened()
    const event = { kind: 'clash', step: 1, buffer: 1, other: 0, section: 1, address: 2, from: 1, base: 0 }
    const lift = { kind: 'lift', step: 1, buffer: 1, other: 0, offset: 2 }
    const found = collisionOf(problem, [lift, event] as unknown as SearchEvent[], Float64Array.of(0, 2))
    expect(found).toEqual({ tried: { piece: 2, offset: 1 }, placed: { piece: 1, offset: 0 }, next: 2 })
  })
})

it('whole tensors are alive from their first part to their last', async () => {
  expect(wholeCsv(await opened())).toBe('id,lower,upper,size,alignment\n0,0,3,4,1\n1,1,5,4,1\n')
})
