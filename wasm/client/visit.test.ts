import { expect, test, vi } from 'vitest'
import type { Core } from './core'
import { Visit, WHOLE } from './visit'

const FAMILIES = { exact: ['exact'], greedy: ['greedy', 'bfc'], core: ['exact', 'greedy', 'bfc', 'minimalloc'] }

/** A visit in the first family, and what it loads. */
function visiting(load = async (_module: string) => ({}) as Core) {
  const loaded = vi.fn(load)
  return { visit: new Visit({ load: loaded, families: FAMILIES }, false), loaded }
}

test('a module is fetched ahead once, and the run takes it', async () => {
  const { visit, loaded } = visiting()
  visit.prefetch('greedy')
  visit.prefetch('bfc')
  const core = await visit.bring('greedy')
  expect(loaded.mock.calls).toEqual([['greedy']])
  expect(await loaded.mock.results[0]?.value).toBe(core)
  // one run has it now: the next makes its own
  expect(await visit.bring('greedy')).not.toBe(core)
})

test('nothing is fetched ahead for a solver that is there', () => {
  const { visit, loaded } = visiting()
  visit.prefetch('exact')
  expect(loaded).not.toHaveBeenCalled()
})

test('what could not be fetched ahead is fetched again for the run', async () => {
  let lost = 1
  const { visit, loaded } = visiting(async () => {
    if (lost-- > 0) throw new TypeError('Failed to fetch')
    return {} as Core
  })
  visit.prefetch('greedy')
  await Promise.allSettled(loaded.mock.results.map(({ value }) => value))
  await expect(visit.bring('greedy')).resolves.toBeDefined()
  expect(loaded).toHaveBeenCalledTimes(2)
})

test('a long text is read in the whole module, which has every solver; a short one where the visit is', async () => {
  const { visit, loaded } = visiting()
  expect(await visit.wholeFor(7_999_999)).toBeNull()
  expect(loaded).not.toHaveBeenCalled()
  expect(await visit.wholeFor(8_000_000)).toEqual({})
  expect(loaded.mock.calls).toEqual([['core']])
  visit.moved(WHOLE)
  expect(visit.moduleOf('greedy')).toBe('core')
  expect(await visit.wholeFor(8_000_000)).toBeNull()
})

test('where the whole module cannot be had, the present one reads', async () => {
  const { visit } = visiting(async () => {
    throw new TypeError('Failed to fetch')
  })
  expect(await visit.wholeFor(8_000_000)).toBeNull()
})
