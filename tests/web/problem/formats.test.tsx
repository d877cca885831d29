/** What can be opened: every format of the importers is named, and a file that is chosen there is opened. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Formats } from '../../../web/src/panels/problem/formats'
import * as ui from '../../../web/src/state/ui'
import { fireEvent, screen, stand } from '../support/stand'

const on = stand()
beforeEach(() => on.session.clear())

describe('what can be opened', () => {
  it('names each kind of file and how one gets it', () => {
    on.show(<Formats />)
    for (const name of ['TFLite', 'ONNX', 'ExecuTorch', 'PyTorch snapshot', 'XLA', 'Vela', 'IREE', 'Buffers'])
      expect(screen.getAllByText(new RegExp(`^${name}`)).length).toBeGreaterThan(0)
    expect(screen.getByText(/_dump_snapshot/).tagName).toBe('CODE')
  })

  it('opens what is chosen, and is gone', () => {
    const opened = vi.spyOn(on.actions.problem, 'openFile').mockResolvedValue(true)
    ui.dialog.set('formats')
    on.show(<Formats />)
    const file = new File(['id,lower,upper,size\n'], 'a.csv')
    fireEvent.change(screen.getByLabelText('Open a file…', { selector: 'input' }), { target: { files: [file] } })
    expect(opened).toHaveBeenCalledWith(file)
    expect(ui.dialog.get()).toBe('none')
  })
})
