/** The views beside the canvas: their tabs and the keys between them, the sheet of a phone, and the line that sizes a panel. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { PhoneSheet, PhoneTabs } from '../../../web/src/panels/phone/phone'
import { Separator } from '../../../web/src/panels/page/separator'
import { Side } from '../../../web/src/panels/page/tabs'
import { leaveLesson } from '../../../web/src/state/lesson/lesson_workbench'
import { PANELS } from '../../../web/src/state/page/panel_widths'
import * as ui from '../../../web/src/state/ui'
import { workbench } from '../../../web/src/state/workbench_cells'
import { control, fireEvent, key, press, screen, stand } from '../support/stand'

const on = stand()
const openModel = () =>
  on.session.open('op', { kind: 'model', name: 'm', lowering: {}, from: { kind: 'file', format: '' } }, 'm')

describe('the tabs', () => {
  const tabs = () => screen.getAllByRole('tab')
  const chosen = () =>
    tabs()
      .filter((tab) => tab.getAttribute('aria-selected') === 'true')
      .map((tab) => tab.textContent)

  it('show the view that is chosen', async () => {
    on.show(<Side shut={false} />)
    expect(chosen()).toEqual(['Step'])
    press('Buffers', 'tab')
    await screen.findByRole('grid', { name: 'Buffers' })
    expect(chosen()).toEqual(['Buffers'])
    expect(screen.getByRole('tabpanel').getAttribute('aria-labelledby')).toBe(control('tab', 'Buffers').id)
  })

  it('are walked through by arrows, round and round, with the focus', async () => {
    on.show(<Side shut={false} />)
    control('tab', 'Step').focus()
    key(control('tab', 'Step'), 'ArrowLeft')
    await on.settle()
    expect(document.activeElement).toBe(control('tab', 'Buffers'))
    key(control('tab', 'Buffers'), 'ArrowRight')
    await on.settle()
    expect(document.activeElement).toBe(control('tab', 'Step'))
    expect(chosen()).toEqual(['Step'])
  })

  it('are one stop for the tab key, at the chosen one', () => {
    ui.tab.set('stats')
    on.show(<Side shut={false} />)
    expect(
      tabs()
        .filter((tab) => tab.tabIndex === 0)
        .map((tab) => tab.textContent),
    ).toEqual(['Stats'])
  })

  it('leave the page’s own keys to the page', () => {
    on.show(<Side shut={false} />)
    expect(key(control('tab', 'Step'), 'ArrowRight')).toBe(false)
    expect(key(control('tab', 'Step'), ' ')).toBe(true)
  })

  it('are two more for a model, and a view that is gone with it gives way to the step', async () => {
    await openModel()
    on.show(<Side shut={false} />)
    expect(tabs().map((tab) => tab.textContent)).toEqual(['Step', 'Tree', 'Stats', 'Buffers', 'Model', 'Graph'])
    press('Model', 'tab')
    await on.settle()
    expect(chosen()).toEqual(['Model'])
    await on.session.open('id\n', { kind: 'text', name: 'y.csv' }, 'y.csv')
    await on.settle()
    expect(tabs()).toHaveLength(4)
    expect(chosen()).toEqual(['Step'])
  })
})

describe('the sheet of a phone', () => {
  const handle = () => control('button', /^Sheet:/)
  beforeEach(() => ui.width.set('phone'))

  it('shows the setup or a view, whichever was chosen last', async () => {
    on.show(
      <>
        <PhoneSheet />
        <PhoneTabs />
      </>,
    )
    control('complementary', 'The search in words and numbers')
    press('Setup')
    await on.settle()
    control('complementary', 'The problem and the solver')
    expect(control('button', 'Step').getAttribute('aria-pressed')).toBe('false')
    press('Stats')
    await on.settle()
    control('complementary', 'The search in words and numbers')
    expect(control('button', 'Stats').getAttribute('aria-pressed')).toBe('true')
    expect(control('button', 'Setup').getAttribute('aria-pressed')).toBe('false')
  })

  it('comes up when a view is chosen while it peeks', () => {
    ui.sheet.set('peek')
    on.show(<PhoneTabs />)
    press('Stats')
    expect(ui.sheet.get()).toBe('half')
  })

  it('grows by a tap until it is full, then shrinks', () => {
    on.show(<PhoneSheet />)
    fireEvent.click(handle())
    expect(ui.sheet.get()).toBe('full')
    fireEvent.click(handle())
    expect(ui.sheet.get()).toBe('half')
  })

  it('grows and shrinks by arrows, and no further than it goes', async () => {
    on.show(<PhoneSheet />)
    for (const [name, size] of [
      ['ArrowUp', 'full'],
      ['ArrowUp', 'full'],
      ['ArrowDown', 'half'],
      ['ArrowDown', 'peek'],
      ['ArrowDown', 'peek'],
    ] as const) {
      expect(key(handle(), name)).toBe(false)
      await on.settle()
      expect(ui.sheet.get()).toBe(size)
    }
    control('button', 'Sheet: peek. Larger or smaller')
  })

  it('follows a drag, which is no tap', () => {
    on.show(<PhoneSheet />)
    const drag = (from: number, to: number) => {
      fireEvent.pointerDown(handle(), { clientY: from, pointerId: 1 })
      fireEvent.pointerUp(handle(), { clientY: to, pointerId: 1 })
      fireEvent.click(handle())
    }
    drag(300, 400)
    expect(ui.sheet.get()).toBe('peek')
    drag(400, 300)
    expect(ui.sheet.get()).toBe('half')
    drag(295, 300)
    expect(ui.sheet.get()).toBe('full')
  })
})

describe('the line between a panel and the canvas', () => {
  const line = () => screen.getByRole('separator')
  const side = () => ui.panels.get().side
  beforeEach(() => {
    ui.panels.set(PANELS)
    Object.assign(window, { innerWidth: 1600 })
  })

  it('moves by arrows towards where they point', async () => {
    ui.setPanel('side', { width: 400 })
    on.show(<Separator side="side" />)
    key(line(), 'ArrowLeft')
    expect(side().width).toBe(416)
    await on.settle()
    key(line(), 'ArrowRight')
    expect(side().width).toBe(400)
    ui.setPanel('left', { width: 300 })
    on.show(<Separator side="left" />)
    key(line(), 'ArrowRight')
    expect(ui.panels.get().left.width).toBe(316)
  })

  it('goes to its least and its most, and no further', async () => {
    on.show(<Separator side="side" />)
    key(line(), 'Home')
    expect(side()).toEqual({ width: 300, shut: false })
    await on.settle()
    key(line(), 'ArrowRight')
    expect(side()).toEqual({ width: 300, shut: false })
    key(line(), 'End')
    expect(side().width).toBe(760)
    await on.settle()
    key(line(), 'ArrowLeft')
    expect(side().width).toBe(760)
  })

  it('leaves the canvas its room in a small window', () => {
    Object.assign(window, { innerWidth: 900 })
    on.show(<Separator side="side" />)
    key(line(), 'End')
    expect(side().width).toBe(480)
  })

  it('shuts with Enter and opens as wide as it was, and says so', async () => {
    ui.setPanel('side', { width: 400 })
    on.show(<Separator side="side" />)
    expect(line().getAttribute('aria-valuetext')).toBe('400 pixels')
    key(line(), 'Enter')
    await on.settle()
    expect([line().getAttribute('aria-valuetext'), line().getAttribute('aria-valuenow')]).toEqual(['shut', '0'])
    key(line(), 'Enter')
    expect(side()).toEqual({ width: 400, shut: false })
  })

  it('is as it was before all after a double click', () => {
    ui.setPanel('side', { width: 400, shut: true })
    on.show(<Separator side="side" />)
    fireEvent.dblClick(line())
    expect(side()).toEqual({ width: null, shut: false })
  })

  it('is dragged, shuts when dragged to half of its least, and opens by a click', async () => {
    ui.setPanel('side', { width: 400 })
    on.show(<Separator side="side" />)
    const down = (clientX: number) => fireEvent.pointerDown(line(), { clientX, button: 0, pointerId: 1 })
    const move = (clientX: number) => fireEvent.pointerMove(line(), { clientX, pointerId: 1 })
    down(1000)
    move(900)
    expect(side().width).toBe(500)
    move(1300)
    expect(side()).toEqual({ width: 300, shut: true })
    fireEvent.pointerUp(line(), { clientX: 1300, pointerId: 1 })
    await on.settle()
    move(800)
    expect(side().shut).toBe(true)
    down(1590)
    fireEvent.pointerUp(line(), { clientX: 1590, pointerId: 1 })
    expect(side().shut).toBe(false)
  })

  it('hears no other button', () => {
    ui.setPanel('side', { width: 400 })
    on.show(<Separator side="side" />)
    fireEvent.pointerDown(line(), { clientX: 1000, button: 2, pointerId: 1 })
    fireEvent.pointerMove(line(), { clientX: 900, pointerId: 1 })
    expect(side().width).toBe(400)
  })
})

describe('a file that is refused', () => {
  beforeEach(() => workbench.mode.set('compare'))

  it('is told of in the setup while something is compared', async () => {
    await on.actions.problem.openTasks('bad', 'x.csv')
    expect([workbench.mistakes.get()?.total, workbench.mode.get()]).toEqual([1, 'search'])
  })

  it('is told of in the setup while a lesson has the page', () => {
    const leave = vi.fn()
    leaveLesson.set(leave)
    on.actions.page.tellInSetup()
    leaveLesson.set(null)
    expect(leave).toHaveBeenCalledOnce()
    expect(workbench.mode.get()).toBe('search')
  })
})
