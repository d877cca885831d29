/** A comparison that a link brings: what took its place while it was made again is not judged by its digests. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { cancelMatrix, matrix, takeMatrix } from '../../../web/src/run/compare/matrix'
import { cancelSweep, startSweep, sweep } from '../../../web/src/run/compare/sweep'
import { showCompare } from '../../../web/src/run/share/shared_compare'
import * as a from '../../../web/src/state/atoms'
import * as choice from '../../../web/src/state/compare/compare'
import type { SharedCompare } from '../../../web/src/state/share/schema'
import { manifest } from '../support/fake'
import { stand, until } from '../support/stand'

const on = stand()
/** Workers that never answer. */
class Silent {
  postMessage(): void {}
  terminate(): void {}
  addEventListener(): void {}
}
beforeEach(() => {
  vi.stubGlobal('Worker', Silent)
  a.manifest.set(manifest)
})
afterEach(() => {
  cancelMatrix()
  cancelSweep()
  vi.unstubAllGlobals()
})

const shared = (tab: 'matrix' | 'sweep', settings: object): SharedCompare => ({
  tab,
  lanes: [],
  at: null,
  by: 'steps',
  choice: { ...settings },
  digest: '00000000000000aa',
})
const done = { kind: 'done', done: 0, total: 0 } as const

it('a sweep that is opened over the matrix of a link', async () => {
  const showing = showCompare(on.session, shared('matrix', { ...choice.MATRIX, solvers: ['exact'] }))
  await until(() => expect(matrix.get()?.work.kind).toBe('running'))
  expect(choice.verdict.get()).toBe('checking')
  takeMatrix()
  matrix.set({ work: done, choice: choice.MATRIX, solvers: [], rows: [], stored: 'sweep' })
  await showing
  expect(matrix.get()?.stored).toBe('sweep')
  expect(choice.verdict.get()).toBe('none')
})

it('a sweep that is begun over the one of a link', async () => {
  const settings = { ...choice.SWEEP, solvers: ['exact'] }
  const showing = showCompare(on.session, shared('sweep', settings))
  await until(() => expect(sweep.get()?.work.kind).toBe('running'))
  expect(choice.verdict.get()).toBe('checking')
  void startSweep({ csv: '', profile: null }, 12, manifest, { ...settings, points: 2 })
  sweep.update((now) => now && { ...now, work: done })
  await showing
  expect(choice.verdict.get()).toBe('none')
})
