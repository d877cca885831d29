/** The newcomer's hint in three steps, and below it what an example is there to show. */
import { describe, expect, it } from 'vitest'
import { Caption } from '../../../web/src/panels/page/hint'
import * as a from '../../../web/src/state/atoms'
import * as ui from '../../../web/src/state/ui'
import { press, screen, stand } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const on = stand()
const STORY = 'Five buffers that just fit.'

describe('the hint', () => {
  it('is not there while there is nothing to say', () => {
    expect(on.show(<Caption />).textContent).toBe('')
  })

  it('stands before the caption, which comes once it is closed and goes when closed again', async () => {
    workbench.hintShown.set(true)
    workbench.caption.set(STORY)
    on.show(<Caption />)
    screen.getByText('What you see')
    screen.getByText('Play it')
    screen.getByText('Open your own')
    expect(screen.queryByText(STORY)).toBeNull()
    press('Close the hint')
    screen.getByText(STORY)
    expect(screen.queryByText('Play it')).toBeNull()
    press('Close the hint')
    expect(screen.queryByRole('note')).toBeNull()
    expect([workbench.hintShown.get(), workbench.caption.get()]).toEqual([false, ''])
  })

  it('says what the colours mean', () => {
    workbench.hintShown.set(true)
    on.show(<Caption />)
    for (const hue of ['placed buffer', 'this step', 'in its way', 'capacity']) screen.getByText(hue)
  })

  it('plays the search that is shown', async () => {
    await on.actions.solver.run()
    on.actions.player.seek(10)
    workbench.hintShown.set(true)
    on.show(<Caption />)
    press('Watch the search')
    expect(a.playing.get()).toBe(true)
    press('Watch the search')
    expect(a.playing.get()).toBe(false)
  })

  it('opens an empty editor for a problem of one’s own', () => {
    workbench.hintShown.set(true)
    on.show(<Caption />)
    ui.setPanel('left', { shut: true })
    press('Paste a buffer CSV')
    expect(workbench.draft.get()).toEqual({ text: '', name: '' })
    expect(ui.panels.get().left.shut).toBe(false)
  })

  it('speaks of keys and drops only where there are any', () => {
    workbench.hintShown.set(true)
    const words = () => on.show(<Caption />).textContent
    expect(words()).toContain('Space')
    expect(words()).toContain('drop one here')
    ui.width.set('phone')
    expect(words()).not.toContain('Space')
    expect(words()).not.toContain('drop one here')
  })

  it('is shown to a first visitor, stopped where the search says something', async () => {
    await on.actions.problem.firstExample()
    on.show(<Caption />)
    screen.getByText('What you see')
    press('Close the hint')
    expect(screen.getByRole('note').textContent).toContain(workbench.caption.get())
    expect(workbench.caption.get()).not.toBe('')
  })
})
