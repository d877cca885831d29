/** Two lowerings of one model, solved beside each other. */
import { beforeEach, describe, expect, it } from 'vitest'
import { compareWays } from '../../../web/src/run/model/compare_lowerings'
import { FakeClient } from '../support/fake'

let client: FakeClient

beforeEach(() => {
  client = new FakeClient()
})

describe('two ways', () => {
  const contest = {
    graph: 'tensor,a,1\nop,x,Relu,a,b\n',
    profile: null,
    solver: 'exact',
    goal: 'fit' as const,
    options: {},
    capacity: 1,
    seed: 1,
    budget: 1,
  }

  it('are solved one after the other, each told as it is done; one that is refused does not stop the other', async () => {
    const told: [number, boolean][] = []
    const end = new AbortController()
    await compareWays(contest, [{}, { order: 'greedy' }], (k, way) => told.push([k, way.ok]), end.signal, client)
    expect(told).toEqual([
      [0, true],
      [1, true],
    ])
    expect(client.lowered).toEqual([{}, { order: 'greedy' }])
    await compareWays({ ...contest, graph: 'bad' }, [{}], (k, way) => told.push([k, way.ok]), end.signal, client)
    expect(told.at(-1)).toEqual([0, false])
  })

  it('end when nobody waits any more', async () => {
    client.hold = true
    const told: number[] = []
    const end = new AbortController()
    const waiting = compareWays(contest, [{}, {}], (k) => told.push(k), end.signal, client)
    await Promise.resolve()
    end.abort()
    client.finish()
    await waiting
    expect(told).toEqual([])
  })
})
