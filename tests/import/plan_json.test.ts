/** A plan that the page exported as JSON is read again: by the reader here, and from what the export writes. */
import { describe, expect, it } from 'vitest'
import type { Facts } from '../../web/src/export/facts'
import { planJson } from '../../web/src/export/plan_json'
import { inPools } from '../web/support/fake'
import { problemOf } from '../web/support/layout_fixture'
import { readBuffers, refusal } from './read'

const problem = problemOf([
  [-2, 3, 4096],
  [1, 9, 1024],
])
problem.ids = ['a "quoted", id', 'b']
const config = { solver: 'exact', options: {}, capacity: 8192, seed: 1, budget: 0 }
const facts = {
  name: 'two',
  opened: { problem, source: { kind: 'text', name: 'two.csv' }, text: '' },
  profile: '',
  run: { config, stats: { outcome: 'optimal', steps: 1, backtracks: 0, digest: '0' } },
} as unknown as Facts
const written = (...args: Parameters<typeof planJson>) => [...planJson(...args)].join('')
const plan = written(facts, [0, 4096])

describe('a plan as JSON', () => {
  it('is read with its offsets and its capacity', () => {
    expect(readBuffers(plan)).toMatchObject({
      format: 'plan-json',
      csv: 'id,lower,upper,size\n"a ""quoted"", id",-2,3,4096\nb,1,9,1024\n',
      plan: { name: 'exact', offsets: [0, 4096] },
      capacity: 8192,
    })
  })

  it('is read without a run, where a person placed the buffers', () => {
    const { capacity, plan: read } = readBuffers(written({ ...facts, run: null }, [0, 4096]))
    expect([capacity, read?.offsets]).toEqual([undefined, [0, 4096]])
  })

  it('is read with its pools', () => {
    expect(readBuffers(written(facts, [64, 0], inPools(problem, [1, 0]))).csv).toBe(
      'pool,dram,0\nid,lower,upper,size,pool\n"a ""quoted"", id",-2,3,4096,dram\nb,1,9,1024,""\n',
    )
  })

  it('is refused with the place of what is wrong', () => {
    expect(refusal(plan.replace('"size":1024', '"size":"1 KiB"')).message).toBe(
      'file: buffers[1].size is "1 KiB", expected a whole number of at least 0.',
    )
    expect(refusal(plan.replace('"version": 1', '"version": 2')).message).toBe(
      'file: this plan was written by another version of Arenascope.',
    )
  })
})
