/** Help: the keys that there are, and the switch for those of a single letter. */
import { act } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { COMMANDS, keyOf } from '../../../web/src/panels/page/commands'
import { listen } from '../../../web/src/panels/page/keyboard'
import { Help } from '../../../web/src/panels/page/help'
import { manifest } from '../../../web/src/state/atoms'
import { dialog, singleKeys } from '../../../web/src/state/ui'
import { manifest as known } from '../support/fake'
import { control, fireEvent, key, screen, stand } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const on = stand()

const box = () => control('checkbox', 'Single keys act') as HTMLInputElement

describe('the help', () => {
  it('has every key once', () => {
    const host = on.show(<Help />)
    const rows = [...host.querySelectorAll('dt:has(kbd)')]
    const told = rows.map((row) => [row.textContent, row.nextElementSibling?.textContent])
    expect(told).toEqual(COMMANDS.filter(({ keys }) => keys !== undefined).map((one) => [keyOf(one), one.label]))
    expect(new Set(told.map(([shown]) => shown)).size).toBe(told.length)
  })

  it('names its version', () => {
    on.show(<Help />)
    screen.getByText(/^Arenascope 0\.1\.0\./)
  })

  it('tells of arms where a solver has some', () => {
    on.show(<Help />)
    screen.getByText('Arms of the exact solver')
    act(() => manifest.set({ ...known, solvers: known.solvers.slice(0, 1) }))
    expect(screen.queryByText('Arms of the exact solver')).toBeNull()
  })

  it('switches single keys off, and those with Ctrl, Space and ? stay', async () => {
    on.show(<Help />)
    const deaf = listen(on.actions)
    expect(box().checked).toBe(true)
    fireEvent.click(box())
    expect(singleKeys.get()).toBe(false)
    key(document.body, 'r')
    await on.settle()
    expect(workbench.run.get().kind).toBe('idle')
    key(document.body, '?')
    expect(dialog.get()).toBe('help')
    act(() => dialog.set('none'))
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
    expect(dialog.get()).toBe('palette')
    act(() => dialog.set('none'))
    fireEvent.click(box())
    key(document.body, 'r')
    await on.settle()
    expect(workbench.run.get().kind).toBe('ended')
    deaf()
  })
})
