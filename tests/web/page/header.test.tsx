/** The head of the page: what it offers in each state and at each width. */
import { beforeAll, describe, expect, it } from 'vitest'
import { Header, phoneMenu } from '../../../web/src/panels/page/header'
import { commandNamed } from '../../../web/src/panels/page/commands'
import * as ui from '../../../web/src/state/ui'
import { statsOf } from '../support/fake'
import { control, fireEvent, press, screen, stand } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const on = stand()
const has = (name: string | RegExp) => screen.queryByRole('button', { name }) !== null
const show = () => on.show(<Header />)

describe('the head', () => {
  it('names the example that is open, and offers the others', async () => {
    show()
    expect(has('Example: Examples')).toBe(true)
    workbench.opened.update((now) => now && { ...now, source: { kind: 'example', file: 'x.csv', title: 'Hatless' } })
    await on.settle()
    press('Example: Hatless')
    expect(screen.getAllByRole('menuitem').length).toBeGreaterThan(5)
  })

  it('names the network that is open', () => {
    const from = { kind: 'zoo' as const, id: 'm', options: {} }
    workbench.opened.update(
      (now) => now && { ...now, source: { kind: 'model', name: 'MobileNet', lowering: {}, from } },
    )
    show()
    expect(has('Example: MobileNet')).toBe(true)
  })

  it('opens lessons, help and what is shared', () => {
    show()
    for (const [name, dialog] of [
      ['Lessons', 'lessons'],
      ['Help', 'help'],
      ['Share', 'share'],
    ] as const) {
      press(name)
      expect(ui.dialog.get()).toBe(dialog)
    }
  })

  it('shares no search that is still under way, and none without a problem', async () => {
    show()
    const share = control('button', 'Share')
    expect(share).toHaveProperty('disabled', false)
    on.client.hold = true
    void on.session.run()
    await on.settle()
    expect(share).toHaveProperty('disabled', true)
    expect(commandNamed('share').when?.get()).toBe(false)
    on.client.finish()
    await on.settle()
    expect(share).toHaveProperty('disabled', false)
    await on.session.clear()
    await on.settle()
    expect(share).toHaveProperty('disabled', true)
  })

  it('changes the theme to the other one', () => {
    show()
    expect(ui.theme.get()).toBe('dark')
    press('Change theme')
    expect(ui.theme.get()).toBe('light')
    press('Change theme')
    expect(ui.theme.get()).toBe('dark')
  })

  it('goes over to comparing and back', async () => {
    show()
    press('Compare')
    expect(workbench.mode.get()).toBe('compare')
    await on.settle()
    expect(control('button', 'Compare').getAttribute('aria-pressed')).toBe('true')
    press('Compare')
    expect(workbench.mode.get()).toBe('search')
  })

  it('opens the setup where it is a drawer, which comparing has none of', async () => {
    show()
    expect(has('Setup')).toBe(false)
    ui.width.set('medium')
    await on.settle()
    press('Setup')
    await on.settle()
    expect(workbench.setupOpen.get()).toBe(true)
    expect(control('button', 'Setup').getAttribute('aria-expanded')).toBe('true')
    workbench.mode.set('compare')
    await on.settle()
    expect(has('Setup')).toBe(false)
  })

  it('offers nothing that would leave a lesson unseen', () => {
    ui.lesson.set({ id: 'x', step: 0 })
    show()
    expect(['Lessons', 'Change theme', 'Help'].map(has)).toEqual([true, true, true])
    expect(['Share', 'Compare', 'Export', /^Example/].map(has)).toEqual([false, false, false, false])
    expect(control('button', 'Lessons').getAttribute('aria-pressed')).toBe('true')
  })
})

describe('the exports', () => {
  const item = (name: RegExp) => screen.getByRole('menuitem', { name }) as HTMLButtonElement

  it('are those that there is something to make of', async () => {
    show()
    press('Export')
    expect(item(/^Buffer CSV/).disabled).toBe(false)
    expect(item(/^JSON/).disabled).toBe(true)
    expect(item(/^Film/).textContent).toContain('nothing has run yet')
    expect(item(/^Film/).disabled).toBe(true)
  })

  it('are of the plan once there is one', async () => {
    on.client.hold = true
    void on.session.run()
    await on.settle()
    on.client.finish(undefined, Float64Array.from([0, 4, 8, 0, 0]))
    await on.settle()
    show()
    press('Export')
    expect(item(/^CSV with offsets/).disabled).toBe(false)
    expect(item(/^JSON/).disabled).toBe(false)
    fireEvent.click(item(/^Film/))
    expect(ui.dialog.get()).toBe('film')
  })

  it('are no search and no film of a run that is under way', async () => {
    on.client.hold = true
    void on.session.run()
    await on.settle()
    on.client.progress(statsOf(300), null)
    show()
    press('Export')
    expect(item(/^Search file/).disabled).toBe(true)
    expect(item(/^Film/).disabled).toBe(true)
  })
})

describe('the head on a phone', () => {
  beforeAll(async () => {
    await phoneMenu.get()
  })

  it('names what is open, shares it, and has all else in a menu', async () => {
    ui.width.set('phone')
    show()
    screen.getByText('x.csv')
    expect(['Share', 'Menu'].map(has)).toEqual([true, true])
    expect(['Lessons', 'Compare', 'Help', /^Example/].map(has)).toEqual([false, false, false, false])
    press('Menu')
    const items = screen.getAllByRole('menuitem').map((row) => row.querySelector('span')?.textContent)
    expect(items.filter((text) => text !== 'Undo' && text !== 'Redo')).toEqual([
      'Lessons…',
      'Open',
      'Canvas',
      'Compare runs',
      'Export',
      'Change theme',
      'Commands…',
      'Help',
    ])
  })

  const into = (name: RegExp) => fireEvent.click(screen.getByRole('menuitem', { name }))
  const check = (name: RegExp) => screen.getByRole('menuitemcheckbox', { name })

  it('has the tools of the canvas, which say whether they are on', async () => {
    ui.width.set('phone')
    show()
    press('Menu')
    into(/^Canvas/)
    expect(check(/^Ruler/).getAttribute('aria-checked')).toBe('false')
    fireEvent.click(check(/^Ruler/))
    await on.settle()
    press('Menu')
    into(/^Canvas/)
    expect(check(/^Ruler/).getAttribute('aria-checked')).toBe('true')
    fireEvent.click(check(/^Ruler/))
  })

  it('begins to edit in the tab of the buffers', async () => {
    ui.width.set('phone')
    show()
    press('Menu')
    into(/^Canvas/)
    fireEvent.click(check(/^Edit the buffers/))
    expect(ui.tab.get()).toBe('buffers')
    await on.settle()
    press('Menu')
    into(/^Canvas/)
    fireEvent.click(check(/^Edit the buffers/))
  })

  it('leaves out what a lesson has no use for', () => {
    ui.width.set('phone')
    ui.lesson.set({ id: 'x', step: 0 })
    show()
    press('Menu')
    expect(screen.queryByRole('menuitem', { name: /^Export/ })).toBeNull()
    into(/^Canvas/)
    expect(screen.queryByRole('menuitem', { name: /^Find a buffer/ })).toBeNull()
    expect(screen.queryByRole('menuitemcheckbox', { name: /^Edit/ })).toBeNull()
  })

  it('has nothing of the canvas without a problem', async () => {
    await on.session.clear()
    ui.width.set('phone')
    show()
    press('Menu')
    expect(screen.queryByRole('menuitem', { name: /^Canvas/ })).toBeNull()
  })
})
