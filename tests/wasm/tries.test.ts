/** The page calls the large solver's tries as the core numbers them. */
import { expect, test } from 'vitest'
import { armNamesOf, isDive } from '../../web/src/state/solver/arms'
import { config, makeCore } from './support'

const core = await makeCore()

test('of few buffers the first try is a dive, and the next is none', () => {
  const { csv, capacity } = core.generate('stationary', 2000, 4)
  core.open(csv)
  const run = config('large', capacity, { goal: 'height' })
  core.start(run)
  core.step(4000)
  const names = armNamesOf(core.manifest.solvers.find(({ id }) => id === 'large') ?? null, run)
  const begun = [1, 2002].map((step) => core.seek(step, 1, 0).events.find((event) => event.kind === 'restart'))
  const called = begun.map((event) => (event?.kind === 'restart' ? (names[event.arm] ?? '?') : 'no try'))
  expect(called).toEqual(['a dive', 'greatest load met, then length'])
  expect(called.map(isDive)).toEqual([true, false])
})
