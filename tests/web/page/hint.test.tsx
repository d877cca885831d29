/** The newcomer's hint in three steps, and below it what an example is there to show. */
import { describe, expect, it } from 'vitest'
import { Caption } from '../../../web/src/panels/page/hint'
import * as a from '../../../web/src/state/atoms'
import * as ui from '../../../web/src/state/ui'
import { press, screen, stand } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const on = stand()
const STORY = 'Five buffers that just fit.'

/** Its steps come with the panels. */
async function hint() {
  const all = on.show(<Caption />)
  await screen.findByText('What you see')
  return all
}

describe('the hint', () => {
  it('is not there while there is nothing to say', () => {
    expect(on.show(<Caption />).textContent).toBe('')
  })

  it('stands before the caption, which comes once it is closed and goes when closed again', async () => {
    workbench.hintShown.set(true)
    workbench.caption.set(STORY)
    await hint()
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

  it('says what the colours mean', async () => {
    workbench.hintShown.set(true)
    await hint()
    for (const hue of ['placed buffer', 'this step', 'in its way', 'capacity']) screen.getByText(hue)
  })

  it('plays the search that is shown', async () => {
    await on.actions.solver.run()
    on.actions.player.seek(10)
    workbench.hintShown.set(true)
    await hint()
    press('Watch the search')
    expect(a.playing.get()).toBe(true)
    press('Watch the search')
    expect(a.playing.get()).toBe(false)
  })

  it('opens an empty editor for a problem of one’s own', async () => {
    workbench.hintShown.set(true)
    await hint()
    ui.setPanel('left', { shut: true })
    press('Paste a buffer CSV')
    expect(workbench.draft.get()).toEqual({ text: '', name: '' })
    expect(ui.panels.get().left.shut).toBe(false)
  })

  it('speaks of keys and drops only where there are any', async () => {
    workbench.hintShown.set(true)
    const desk = (await hint()).textContent
    expect(desk).toContain('Space')
    expect(desk).toContain('drop one here')
    ui.width.set('phone')
    const phone = (await hint()).textContent
    expect(phone).not.toContain('Space')
    expect(phone).not.toContain('drop one here')
  })

  it('is shown to a first visitor, stopped where the search says something', async () => {
    await on.actions.problem.firstExample()
    await hint()
    press('Close the hint')
    expect(screen.getByRole('note').textContent).toContain(workbench.caption.get())
    expect(workbench.caption.get()).not.toBe('')
  })
})
