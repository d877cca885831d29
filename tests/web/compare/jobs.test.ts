/** Work in the background: who takes what, what is told, and that it ends at once. */
import { describe, expect, it } from 'vitest'
import type { Client } from '../../../wasm/client/types'
import { crewSize, runJobs } from '../../../web/src/run/compare/jobs'
import { FakeClient } from '../support/fake'

/** Clients that count themselves, and work that ends when it is told to. */
function setUp() {
  const made: (FakeClient & { gone: boolean })[] = []
  const make = (): Client => {
    const client = Object.assign(new FakeClient(), { gone: false })
    client.dispose = () => {
      client.gone = true
    }
    made.push(client)
    return client
  }
  const waiting = new Map<string, { resolve: (text: string) => void; reject: (error: unknown) => void }>()
  const taken: [number, string][] = []
  const work = (client: Client, job: string) => {
    taken.push([made.indexOf(client as (typeof made)[number]), job])
    return new Promise<string>((resolve, reject) => waiting.set(job, { resolve, reject }))
  }
  const told: [number, string][] = []
  const tell = (index: number, result: string) => void told.push([index, result])
  const end = async (job: string) => {
    waiting.get(job)?.resolve(job.toUpperCase())
    await new Promise((resolve) => setTimeout(resolve))
  }
  return { made, make, waiting, taken, work, told, tell, end }
}

describe('jobs', () => {
  it('go in order to whoever is free, and are told as they end', async () => {
    const t = setUp()
    const { signal } = new AbortController()
    const all = runJobs(['a', 'b', 'c', 'd'], t.work, t.tell, { workers: 2, signal, make: t.make })
    expect(t.taken).toEqual([
      [0, 'a'],
      [1, 'b'],
    ])
    await t.end('b')
    await t.end('c')
    await t.end('a')
    await t.end('d')
    await all
    expect(t.taken.slice(2)).toEqual([
      [1, 'c'],
      [1, 'd'],
    ])
    expect(t.told).toEqual([
      [1, 'B'],
      [2, 'C'],
      [0, 'A'],
      [3, 'D'],
    ])
    expect(t.made.map(({ gone }) => gone)).toEqual([true, true])
  })

  it('take no more workers than there are jobs', async () => {
    const t = setUp()
    const { signal } = new AbortController()
    const all = runJobs(['a'], t.work, t.tell, { workers: 4, signal, make: t.make })
    expect(t.made.length).toBe(1)
    await t.end('a')
    await all
    await runJobs([], t.work, t.tell, { workers: 4, signal, make: t.make })
    expect(t.made.length).toBe(1)
  })

  it('end at once when they are given up: even work that never answers, and what comes late is not told', async () => {
    const t = setUp()
    const end = new AbortController()
    const all = runJobs(['a', 'b', 'c'], t.work, t.tell, { workers: 2, signal: end.signal, make: t.make })
    await t.end('a')
    end.abort()
    await all
    expect(t.made.map(({ gone }) => gone)).toEqual([true, true])
    await t.end('b')
    await t.end('c')
    expect(t.told).toEqual([[0, 'A']])
    expect(t.taken.length).toBe(3)
  })

  it('do not begin when they were given up before', async () => {
    const t = setUp()
    await runJobs(['a'], t.work, t.tell, { workers: 1, signal: AbortSignal.abort(), make: t.make })
    expect(t.made.length).toBe(0)
  })

  it('are given up with the first that fails', async () => {
    const t = setUp()
    const { signal } = new AbortController()
    const all = runJobs(['a', 'b', 'c'], t.work, t.tell, { workers: 2, signal, make: t.make })
    t.waiting.get('b')?.reject(new Error('lost'))
    await expect(all).rejects.toThrow('lost')
    await t.end('a')
    expect(t.told).toEqual([])
    expect(t.made.map(({ gone }) => gone)).toEqual([true, true])
  })

  it('leave a core to the page where there are few', () => {
    expect([undefined, 1, 2, 3, 4, 16].map(crewSize)).toEqual([1, 1, 1, 1, 2, 2])
  })
})
