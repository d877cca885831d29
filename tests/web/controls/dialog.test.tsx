/** A sheet over the page: what shuts it, and where the focus goes. */
import { act } from '@testing-library/preact'
import { beforeEach, describe, expect, it } from 'vitest'
import { useValue } from '../../../web/src/base/use_value'
import { Dialog } from '../../../web/src/panels/controls/dialog'
import { dialog } from '../../../web/src/state/ui'
import { control, fireEvent, press, screen, stand } from '../support/stand'

const on = stand()

function Page({ bare = false }: { bare?: boolean }) {
  const open = useValue(dialog) !== 'none'
  return (
    <>
      <button type="button" onClick={() => on.actions.page.openDialog('help')}>
        Open
      </button>
      {open && (
        <Dialog title="Sheet" bare={bare}>
          <input aria-label="Name" />
        </Dialog>
      )}
    </>
  )
}
const sheet = () => screen.queryByRole('dialog', { name: 'Sheet' }) as HTMLDialogElement
const open = () => {
  control('button', 'Open').focus()
  press('Open')
}
/** as a pointer does: pressed in one place, let go of in another */
const drag = (from: Element, to: Element, over: Element) => {
  fireEvent.pointerDown(from)
  fireEvent.pointerUp(to)
  fireEvent.click(over)
}

beforeEach(() => {
  on.show(<Page />)
})

describe('a dialog', () => {
  it('is modal, with a name and a head', () => {
    open()
    expect(sheet().open).toBe(true)
    control('heading', 'Sheet')
  })

  it('is shut by its button, and the focus is back where it was', () => {
    open()
    control('textbox', 'Name').focus()
    press('Close')
    expect(sheet()).toBeNull()
    expect(document.activeElement).toBe(control('button', 'Open'))
  })

  it('is shut by the page, not by the browser alone, on Escape', () => {
    open()
    const cancel = new Event('cancel', { cancelable: true })
    act(() => void sheet().dispatchEvent(cancel))
    expect(cancel.defaultPrevented).toBe(true)
    expect(dialog.get()).toBe('none')
    expect(sheet()).toBeNull()
  })

  it('is shut by a click beside it, not by one within', () => {
    open()
    const field = control('textbox', 'Name')
    drag(field, field, field)
    expect(sheet()).not.toBeNull()
    drag(sheet(), sheet(), sheet())
    expect(sheet()).toBeNull()
  })

  it('stays where a text is selected past its edge', () => {
    open()
    // a click is told to what holds both ends
    drag(control('textbox', 'Name'), sheet(), sheet())
    expect(sheet()).not.toBeNull()
  })

  it('may be bare, without a head', () => {
    on.show(<Page bare />)
    open()
    expect(screen.queryByRole('heading')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Close' })).toBeNull()
    expect(sheet().getAttribute('aria-label')).toBe('Sheet')
  })
})
