/** Parts of the page that come later: fetched once, tried again after a failure, never in the way of what is shown first. */
import { describe, expect, it, vi } from 'vitest'
import { fetchLater, Later, PartError } from '../../../web/src/base/later'

/** A part whose fetches the test answers, and how many there were. */
function part(unasked: 'unasked' | null = null) {
  const asked: { give: (text: string) => void; fail: (error: Error) => void }[] = []
  const later = new Later(() => new Promise<string>((give, fail) => asked.push({ give, fail })), unasked)
  return { later, asked }
}

describe('a part that comes later', () => {
  it('is fetched once, however often it is wanted', async () => {
    const { later, asked } = part()
    expect(later.arrival.get()).toEqual({ kind: 'absent' })
    const both = Promise.all([later.get(), later.get()])
    expect(later.arrival.get()).toEqual({ kind: 'coming' })
    asked[0]?.give('text')
    expect(await both).toEqual(['text', 'text'])
    expect(await later.get()).toBe('text')
    expect(later.arrival.get()).toEqual({ kind: 'there', part: 'text' })
    expect(asked).toHaveLength(1)
  })

  it('says so when it does not come, and comes at the next try', async () => {
    const { later, asked } = part()
    const first = later.get()
    asked[0]?.fail(new TypeError('Failed to fetch'))
    const error: unknown = await first.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(PartError)
    expect(String(error)).toMatch(/could not be fetched.*nothing is lost/)
    expect(later.arrival.get()).toEqual({ kind: 'failed' })
    const second = later.get()
    expect(later.arrival.get()).toEqual({ kind: 'coming' })
    asked[1]?.give('text')
    expect(await second).toBe('text')
    expect(later.arrival.get().kind).toBe('there')
  })

  it('is fetched with all others when there is time, and its failure is then no one’s', async () => {
    const { later, asked } = part()
    const other = part()
    fetchLater()
    fetchLater()
    expect([asked.length, other.asked.length]).toEqual([1, 1])
    asked[0]?.fail(new TypeError('Failed to fetch'))
    other.asked[0]?.give('text')
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect(later.arrival.get().kind).toBe('failed')
    expect(other.later.arrival.get().kind).toBe('there')
  })

  it('waits until it is wanted where data is saved, unless nothing would want it', async () => {
    vi.stubGlobal('navigator', { connection: { saveData: true } })
    const [wanted, added] = [part(), part('unasked')]
    fetchLater()
    expect([wanted.asked.length, added.asked.length]).toEqual([0, 1])
    const got = wanted.later.get()
    wanted.asked[0]?.give('text')
    expect(await got).toBe('text')
    vi.unstubAllGlobals()
  })

  it('is fetched in its turn where what it is a part of came late', () => {
    vi.stubGlobal('window', {})
    vi.useFakeTimers()
    fetchLater()
    const { later, asked } = part()
    expect(asked).toHaveLength(0)
    vi.runAllTimers()
    expect(asked).toHaveLength(1)
    expect(later.arrival.get().kind).toBe('coming')
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
})
