/** The first page: what stands where there is no problem yet, and the messages of the page itself. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { FirstPage } from '../../../web/src/panels/problem/first_page'
import { NoticeBar } from '../../../web/src/panels/page/notice'
import * as a from '../../../web/src/state/atoms'
import * as ui from '../../../web/src/state/ui'
import { manifest } from '../support/fake'
import { control, press, screen, stand } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const on = stand()
afterEach(() => vi.restoreAllMocks())

describe('the first page', () => {
  it('waits for the solver, then for the problem', () => {
    a.manifest.set(null)
    on.show(<FirstPage busy />)
    expect(control('status', '').textContent).toBe('Loading the solver…')
    expect(screen.queryAllByRole('button')).toEqual([])
    a.manifest.set(manifest)
    on.show(<FirstPage busy />)
    expect(control('status', '').textContent).toBe('Reading the problem…')
  })

  it('offers nothing that could not be read where there is no solver', () => {
    a.manifest.set(null)
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
    on.show(<FirstPage busy={false} />)
    expect(screen.getAllByRole('button').map((b) => b.textContent)).toEqual(['Reload the page'])
    press('Reload the page')
    expect(reload).toHaveBeenCalledOnce()
  })

  it('opens the example that is asked for, and runs it', async () => {
    await on.session.clear()
    on.show(<FirstPage busy={false} />)
    expect(await screen.findAllByRole('listitem')).toHaveLength(4)
    press('Open Ten buffers')
    await vi.waitFor(() => expect(workbench.run.get().kind).toBe('ended'))
    expect(workbench.opened.get()?.source).toMatchObject({ kind: 'example', file: 'ten.csv' })
  })

  it('leads to the editor, to the models and to the lessons', async () => {
    on.show(<FirstPage busy={false} />)
    await screen.findByRole('button', { name: 'Paste CSV' })
    press('Paste CSV')
    expect(workbench.draft.get()).toEqual({ text: '', name: '' })
    press('Models…')
    expect(ui.dialog.get()).toBe('zoo')
    press('Lessons…')
    expect(ui.dialog.get()).toBe('lessons')
  })
})

describe('a message', () => {
  it('stands until it is closed', async () => {
    on.show(<NoticeBar />)
    expect(screen.queryByRole('alert')).toBeNull()
    a.notice.set({ tone: 'why', title: 'That did not work.', text: 'The line was cut.' })
    await on.settle()
    expect(control('alert', '').textContent).toContain('That did not work. The line was cut.')
    press('Close the message')
    await on.settle()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('has its way out where there is one', async () => {
    const act = vi.fn()
    a.notice.set({ tone: 'plain', title: 'Replaced.', text: '', action: { title: 'Undo it', act } })
    on.show(<NoticeBar />)
    press('Undo it')
    expect(act).toHaveBeenCalledOnce()
  })
})
