/** What an embedded page takes from the page around it, and what it tells it. */
import { expect, it } from 'vitest'
import { listen } from '../../../web/src/run/share/messages'
import type { Told } from '../../../web/src/state/share/messages'
import { workbench } from '../../../web/src/state/workbench_cells'
import { CSV, stand, until } from '../support/stand'

const on = stand()
await import('../../../web/src/run/share/link')

const search = { source: { kind: 'text', name: 'x.csv', text: CSV }, solver: 'minimalloc', capacity: 12 }

function meet() {
  const told: [Told, string][] = []
  let hear: (data: unknown, origin: string) => void = () => undefined
  const leave = listen(on.actions, {
    post: (message, origin) => told.push([message, origin]),
    hear: (callback) => {
      hear = callback
      return () => undefined
    },
  })
  const types = () => told.map(([{ type }]) => type.replace('arenascope/', ''))
  return { told, types, leave, say: (data: unknown, origin = 'https://course.example') => hear(data, origin) }
}

it('greets, and tells nobody more who has not spoken', async () => {
  const { told, leave } = meet()
  expect(told).toEqual([[{ type: 'arenascope/ready', version: 1 }, '*']])
  workbench.cursor.set(3)
  expect(told).toHaveLength(1)
  leave()
})

it('opens a search, runs it, shows its step, and tells the window that asked', async () => {
  const { told, types, say, leave } = meet()
  say({ type: 'arenascope/open', search, step: 7 })
  await until(() => expect(on.client.config).toMatchObject({ solver: 'minimalloc', capacity: 12 }))
  on.client.finish()
  await until(() => expect(workbench.cursor.get()).toBe(7))
  await until(() =>
    expect(told.at(-1)).toEqual([{ type: 'arenascope/step', step: 7, steps: 100 }, 'https://course.example']),
  )
  expect(types()).toContain('result')
  const [result] = told.find(([{ type }]) => type === 'arenascope/result') ?? []
  expect(result).toMatchObject({ steps: 100, digest: expect.stringMatching(/^[0-9a-f]{16}$/) })
  say({ type: 'arenascope/seek', step: 2 })
  await until(() => expect(workbench.cursor.get()).toBe(2))
  leave()
})

it('takes the memory of a profile by its id', async () => {
  const { say, types, told, leave } = meet()
  say({ type: 'arenascope/open', search: { ...search, capacity: 0 }, profile: 'maxim-max78000' })
  await until(() => expect(on.client.config?.capacity).toBe(524288))
  say({ type: 'arenascope/open', search, profile: 'abacus' })
  await until(() => expect(types()).toContain('error'))
  expect(told.at(-1)?.[0]).toMatchObject({ message: 'profile: there is no “abacus”' })
  leave()
})

it('passes over what is not meant for it, and refuses what is none of its messages', async () => {
  const { say, told, leave } = meet()
  for (const data of [null, 7, 'arenascope/open', {}, { type: 3 }, { type: 'webpackOk' }]) say(data)
  await on.settle()
  expect(told).toHaveLength(1)
  const refused: [unknown, RegExp][] = [
    [{ type: 'arenascope/eval', code: '1' }, /type/],
    [{ type: 'arenascope/seek', step: -1 }, /step/],
    [{ type: 'arenascope/seek', step: '3' }, /step/],
    [{ type: 'arenascope/open' }, /search/],
    [{ type: 'arenascope/open', search: { ...search, solver: 7 } }, /solver/],
    [{ type: 'arenascope/open', search: { ...search, source: { kind: 'url', url: 'https://x' } } }, /source/],
    [{ type: 'arenascope/open', search: { ...search, source: { kind: 'example', file: '../x' } } }, /file/],
    [{ type: 'arenascope/open', search: { ...search, options: [] } }, /options/],
  ]
  for (const [data, why] of refused) {
    say(data)
    await on.settle()
    expect(told.at(-1)?.[0]).toMatchObject({ type: 'arenascope/error', message: expect.stringMatching(why) })
  }
  expect(told).toHaveLength(1 + refused.length)
  expect(workbench.opened.get()?.source).toMatchObject({ name: 'x.csv' })
  leave()
})
