/** The search below the canvas: what stands there before there is one, and what its colours mean once there is. */
import { afterEach, describe, expect, it } from 'vitest'
import { ClientError } from '../../../wasm/client/types'
import { Search } from '../../../web/src/panels/search/search_strips'
import { workbench } from '../../../web/src/state/workbench_cells'
import * as a from '../../../web/src/state/atoms'
import { deafCanvas } from '../support/deaf_canvas'
import { manifest } from '../support/fake'
import { press, screen, stand } from '../support/stand'

deafCanvas()
const on = stand()
const words = () => document.body.textContent?.replace(/\s+/g, ' ') ?? ''
const legend = () => [...screen.getByRole('list', { name: 'Legend' }).children].map((one) => one.textContent)

afterEach(() => a.manifest.set(manifest))

describe('the search', () => {
  it('is run from here where there is a problem', async () => {
    on.show(<Search />)
    expect(words()).toContain('Run the solver to see its search here.')
    expect(words()).not.toContain('lost')
    expect(screen.queryByRole('list')).toBeNull()
    press('Run the solver')
    await on.settle()
    expect(on.client.config).not.toBeNull()
    expect(words()).not.toContain('Run the solver')
  })

  it('only says so where there is none', async () => {
    await on.session.clear()
    const part = on.show(<Search />)
    expect(words()).toContain('Run the solver to see its search here.')
    expect(screen.queryByRole('button')).toBeNull()
    expect(part.querySelector('.search-idle')).not.toBeNull()
  })

  it('is not idle while a problem is being read', async () => {
    await on.session.clear()
    a.reading.set(true)
    expect(on.show(<Search />).querySelector('.search-idle')).toBeNull()
  })

  it.each([
    ['trap', 'The worker stopped, and its search is lost.'],
    ['argument', 'The solver refused.'],
  ] as const)('says why there is none after a run that failed: %s', async (reason, why) => {
    on.client.hold = true
    void on.session.run()
    await on.settle()
    on.client.fail(new ClientError('It failed.', reason))
    await on.settle()
    on.show(<Search />)
    expect(words()).toContain(`${why} Run the solver to see its search here.`)
  })

  it('says what its colours mean, and that of being stuck where the solver can be', async () => {
    await on.actions.solver.run()
    on.show(<Search />)
    // no colour that the search has no use for
    expect(legend()).toEqual(['placed', 'minor backtrack'])
    workbench.run.update((now) => {
      if (now.kind !== 'ended') return now
      const { overview } = now.result
      return { ...now, result: { ...now.result, overview: { ...overview, major: Uint32Array.of(1) } } }
    })
    await on.settle()
    expect(legend()).toEqual(['placed', 'minor backtrack', 'major backtrack'])
    const stuck = { name: 'stuck_limit', type: 'count', title: '', initial: '0', min: 0, max: 9, choices: [], help: '' }
    a.manifest.update(
      (now) => now && { ...now, solvers: now.solvers.map((one) => ({ ...one, options: [stuck as never] })) },
    )
    await on.settle()
    expect(legend()).toEqual(['placed', 'minor backtrack', 'major backtrack', 'stuck'])
  })

  it('goes away with its run', async () => {
    await on.actions.solver.run()
    on.show(<Search />)
    on.actions.solver.discard()
    await on.settle()
    expect(words()).toContain('Run the solver to see its search here.')
  })
})
