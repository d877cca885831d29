import { readFileSync } from 'node:fs'
import { beforeAll, expect, test, vi } from 'vitest'
import { Core } from '../core'
import { compileModule, instantiate } from '../module'
import { WarmUp } from './warm'

let compiled: WebAssembly.Module

beforeAll(async () => {
  compiled = await compileModule(readFileSync('build/wasm/exact.wasm'))
})

/** A warm-up whose timers go off when the test says so, on a clock that a step of its searches moves on by a millisecond. */
function warmed(spare?: () => Promise<Core | null>) {
  const timers: { task: () => void; at: number }[] = []
  const slices: number[] = []
  let now = 0
  const make = vi.fn(
    spare ??
      (async () => {
        const core = new Core(await instantiate(compiled), { now: () => now }, 0)
        const step = core.step.bind(core)
        vi.spyOn(core, 'step').mockImplementation((steps) => {
          now++
          slices.push(now)
          return step(steps)
        })
        return core
      }),
  )
  const warmUp = new WarmUp(make, { now: () => now }, (task, ms) => timers.push({ task, at: now + ms }))
  /** Lets the next timer go off, and what it began come to its end. */
  const turn = async () => {
    const timer = timers.shift()!
    now = Math.max(now, timer.at)
    timer.task()
    await new Promise((resolve) => setTimeout(resolve))
  }
  return { warmUp, timers, turn, make, slices, pass: (ms: number) => (now += ms) }
}

test('a worker that is left alone solves small problems in slices, and stops for good', async () => {
  const { warmUp, timers, turn, make, slices } = warmed()
  warmUp.wait(() => true)
  expect(timers).toMatchObject([{ at: 500 }])
  await turn()
  expect(slices).toEqual([501, 502, 503, 504])
  for (let k = 0; timers.length > 0 && k < 99; k++) await turn()
  expect(timers).toEqual([])
  expect(make).toHaveBeenCalledOnce()
  expect(slices).toHaveLength(28)
  expect(slices.at(-1)! - slices[0]!).toBe(27 + 6 * 16)
  warmUp.wait(() => true)
  expect(timers).toEqual([])
})

test('it waits for the last message, and for the end of what that asked for', async () => {
  const { warmUp, timers, turn, make, slices, pass } = warmed()
  let idle = false
  warmUp.wait(() => idle)
  pass(400)
  warmUp.wait(() => idle)
  await turn()
  expect(timers).toMatchObject([{ at: 900 }])
  await turn()
  expect(make).not.toHaveBeenCalled()
  idle = true
  await turn()
  expect(slices).toHaveLength(4)
  idle = false
  await turn()
  await turn()
  expect(slices).toHaveLength(4)
})

test('a message that comes while the core is made begins no second chain of timers', async () => {
  let give = (_: null) => {}
  const { warmUp, timers, turn, make } = warmed(() => new Promise((resolve) => (give = resolve)))
  warmUp.wait(() => true)
  await turn()
  warmUp.wait(() => true)
  expect(timers).toEqual([])
  give(null)
  await new Promise((resolve) => setTimeout(resolve))
  expect(timers).toHaveLength(1)
  expect(make).toHaveBeenCalledOnce()
})

test('a module that never comes is not looked for for ever, but again after another message', async () => {
  const { warmUp, timers, turn, make } = warmed(async () => null)
  for (const times of [20, 40]) {
    warmUp.wait(() => true)
    for (let k = 0; timers.length > 0 && k < 99; k++) await turn()
    expect(make).toHaveBeenCalledTimes(times)
  }
})

test.each([
  ['no module yet', async () => null, 1],
  ['no memory', async () => Promise.reject(new RangeError('out of memory')), 0],
])('with %s it does without', async (_, spare, left) => {
  const { warmUp, timers, turn } = warmed(spare)
  warmUp.wait(() => true)
  await turn()
  expect(timers).toHaveLength(left)
})
