/** The networks of ours: their parameters, what is refused, and that the open one is the one that is shown. */
import { act } from '@testing-library/preact'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Zoo } from '../../../web/src/panels/model/zoo'
import { dialog } from '../../../web/src/state/ui'
import { networks, parametersOf } from '../../../web/src/state/model/zoo_networks'
import { control, fireEvent, key, screen, stand, type } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const on = stand()

/** one with a parameter that is a number */
const entry = networks.find((one) => parametersOf(one).some(({ type }) => type === 'int')) as (typeof networks)[number]
const parameter = parametersOf(entry).find(({ type }) => type === 'int') as ReturnType<typeof parametersOf>[number]
const other = networks.find((one) => one !== entry) as (typeof networks)[number]
const title = (of = entry) => screen.getByText(of.title).closest('button') as HTMLButtonElement
const field = () => control('textbox', parameter.title) as HTMLInputElement
const fill = (text: string) => {
  type(field(), text)
  key(field(), 'Enter')
}
const unfolded = () => [...document.querySelectorAll('[aria-expanded=true]')]
const open = (of = entry) => fireEvent.click(screen.getByLabelText(`Open ${of.title}`))
const within = String(parameter.initial === String(parameter.max) ? parameter.min : parameter.max)

let asked: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  asked = vi.spyOn(on.actions.model, 'openZoo').mockResolvedValue()
  act(() => dialog.set('zoo'))
  on.show(<Zoo />)
})

describe('the networks', () => {
  it('are all there, none unfolded', () => {
    const offered = screen.getAllByRole('button', { name: /^Open / }).map((one) => one.getAttribute('aria-label'))
    expect(offered.sort()).toEqual(networks.map((one) => `Open ${one.title}`).sort())
    expect(unfolded()).toEqual([])
  })

  it('stand below the way to a file of one’s own, which closes the dialog', () => {
    const chosen = vi.spyOn(on.actions.problem, 'openFile').mockResolvedValue(true)
    expect(screen.getAllByRole('button')[0]?.textContent).toBe('Your file…')
    const file = new File(['x'], 'own.tflite')
    fireEvent.change(screen.getByLabelText('Your file…', { selector: 'input' }), { target: { files: [file] } })
    expect(chosen).toHaveBeenCalledWith(file)
    expect(dialog.get()).toBe('none')
  })

  it('unfold one at a time, and fold again', () => {
    fireEvent.click(title())
    expect(unfolded()).toEqual([title()])
    fireEvent.click(title(other))
    expect(unfolded()).toEqual([title(other)])
    fireEvent.click(title(other))
    expect(unfolded()).toEqual([])
  })

  it('open with what was changed of their parameters', () => {
    open(other)
    expect(asked).toHaveBeenLastCalledWith(other.id, {})
    expect(dialog.get()).toBe('none')
    fireEvent.click(title())
    fill(within)
    open()
    expect(asked).toHaveBeenLastCalledWith(entry.id, { [parameter.name]: within })
    fill(parameter.initial)
    open()
    expect(asked).toHaveBeenLastCalledWith(entry.id, {})
  })

  it('do not open with the last value while another stands in a field', () => {
    fireEvent.click(title())
    fill(String(parameter.max + 1))
    open()
    expect(asked).not.toHaveBeenCalled()
    expect([dialog.get(), document.activeElement]).toEqual(['zoo', field()])
    open(other)
    expect(asked).toHaveBeenCalledWith(other.id, {})
  })

  it('begin with the one that is open, as it was opened', () => {
    act(() => {
      const now = workbench.opened.get()
      const from = { kind: 'zoo', id: entry.id, options: { [parameter.name]: within } } as const
      if (now !== null)
        workbench.opened.set({ ...now, source: { kind: 'model', name: entry.title, lowering: {}, from } })
    })
    on.show(<Zoo />)
    expect(title().getAttribute('aria-expanded')).toBe('true')
    expect(Number(field().value.replace(/,/g, ''))).toBe(Number(within))
  })
})
