/** The networks of ours: their parameters, what is refused, and that the open one is the one that is shown. */
import { act } from '@testing-library/preact'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Zoo } from '../../web/src/panels/zoo'
import { opened } from '../../web/src/state/atoms'
import { dialog } from '../../web/src/state/ui'
import { networks, parametersOf } from '../../web/src/state/zoo_networks'
import { control, fireEvent, key, press, screen, stand, type } from './stand'

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
const within = String(parameter.initial === String(parameter.max) ? parameter.min : parameter.max)

let asked: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  asked = vi.spyOn(on.actions, 'openZoo').mockResolvedValue()
  act(() => dialog.set('zoo'))
  on.show(<Zoo />)
})

describe('the networks', () => {
  it('are all there, none unfolded', () => {
    for (const one of networks) control('button', `Open ${one.title}`)
    expect(screen.queryAllByRole('button', { expanded: true })).toEqual([])
  })

  it('unfold one at a time, and fold again', () => {
    fireEvent.click(title())
    expect(screen.getAllByRole('button', { expanded: true })).toEqual([title()])
    fireEvent.click(title(other))
    expect(screen.getAllByRole('button', { expanded: true })).toEqual([title(other)])
    fireEvent.click(title(other))
    expect(screen.queryAllByRole('button', { expanded: true })).toEqual([])
  })

  it('open with what was changed of their parameters', () => {
    press(`Open ${other.title}`)
    expect(asked).toHaveBeenLastCalledWith(other.id, {})
    expect(dialog.get()).toBe('none')
    fireEvent.click(title())
    fill(within)
    press(`Open ${entry.title}`)
    expect(asked).toHaveBeenLastCalledWith(entry.id, { [parameter.name]: within })
    fill(parameter.initial)
    press(`Open ${entry.title}`)
    expect(asked).toHaveBeenLastCalledWith(entry.id, {})
  })

  it('do not open with the last value while another stands in a field', () => {
    fireEvent.click(title())
    fill(String(parameter.max + 1))
    press(`Open ${entry.title}`)
    expect(asked).not.toHaveBeenCalled()
    expect([dialog.get(), document.activeElement]).toEqual(['zoo', field()])
    press(`Open ${other.title}`)
    expect(asked).toHaveBeenCalledWith(other.id, {})
  })

  it('begin with the one that is open, as it was opened', () => {
    act(() => {
      const now = opened.get()
      const from = { kind: 'zoo', id: entry.id, options: { [parameter.name]: within } } as const
      if (now !== null) opened.set({ ...now, source: { kind: 'model', name: entry.title, lowering: {}, from } })
    })
    on.show(<Zoo />)
    expect(title().getAttribute('aria-expanded')).toBe('true')
    expect(Number(field().value.replace(/,/g, ''))).toBe(Number(within))
  })
})
