/** Fields that take a number: when they are read, what is refused and how it is said; and forms made of a table of options. */
import { act } from '@testing-library/preact'
import { useState } from 'preact/hooks'
import { describe, expect, it } from 'vitest'
import type { SolverOption } from '../../../wasm/client/types'
import { Pick, Tick } from '../../../web/src/panels/controls/choice'
import { NumberField } from '../../../web/src/panels/controls/field'
import { Choice } from '../../../web/src/panels/controls/one_of'
import { OptionForm } from '../../../web/src/panels/controls/option_form'
import { parseCount } from '../../../web/src/state/page/quantity'
import { misfilled } from '../../../web/src/state/ui'
import { control, fireEvent, key, press, screen, stand, type } from '../support/stand'

const on = stand()

let taken: number[] = []
function Some({ start }: { start: number }) {
  const [value, setValue] = useState(start)
  const set = (next: number) => {
    taken.push(next)
    setValue(next)
  }
  return <NumberField label="Most" value={String(value)} parse={(text) => parseCount(text, 1, 50)} set={set} />
}
const show = () => {
  taken = []
  on.show(<Some start={7} />)
}
const field = () => control('textbox', 'Most') as HTMLInputElement
const write = (text: string) => type(field(), text)
const leave = () => fireEvent.blur(field())
const enter = () => key(field(), 'Enter')
const WHY = 'expected a whole number from 1 to 50'

describe('a field for a number', () => {
  it('takes nothing while it is typed in, and all of it on Enter', () => {
    show()
    write('12')
    expect(taken).toEqual([])
    enter()
    expect(taken).toEqual([12])
    expect(field().value).toBe('12')
  })

  it('takes it when it is left', () => {
    show()
    write('9')
    leave()
    expect(taken).toEqual([9])
  })

  it('refuses with a reason that belongs to the field, keeps the text and takes nothing', () => {
    show()
    write('51')
    expect(screen.queryByText(WHY)).toBeNull()
    leave()
    expect(taken).toEqual([])
    expect(field().value).toBe('51')
    expect(field().getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById(field().getAttribute('aria-describedby') ?? '')?.textContent).toBe(WHY)
    expect(misfilled.get()).toEqual([field().id])
  })

  it('takes the reason back as soon as it no longer holds, before it is left', () => {
    show()
    write('x')
    enter()
    screen.getByText(WHY)
    write('0')
    screen.getByText(WHY)
    write('5')
    expect(screen.queryByText(WHY)).toBeNull()
    expect(misfilled.get()).toEqual([])
    expect(taken).toEqual([])
  })

  it('writes what it took as it is written elsewhere', () => {
    show()
    write(' 07 ')
    enter()
    expect(field().value).toBe('7')
  })

  it('shows a value that changed elsewhere instead of what is wrong', () => {
    show()
    write('x')
    leave()
    on.show(<Some start={8} />)
    expect(field().value).toBe('8')
    expect(misfilled.get()).toEqual([])
  })

  it('forgets what is wrong with the next problem', async () => {
    show()
    write('x')
    leave()
    await on.session.open('id,lower,upper,size\nb,0,1,2\n', { kind: 'text', name: 'y.csv' }, 'y.csv')
    await on.settle()
    expect(field().value).toBe('7')
    expect(screen.queryByText(WHY)).toBeNull()
    expect(misfilled.get()).toEqual([])
  })

  it('stands in nobody’s way once it is gone', async () => {
    show()
    write('x')
    leave()
    on.show(<p>Nothing.</p>)
    await on.settle()
    expect(misfilled.get()).toEqual([])
  })

  it('stands in the way of a run, which goes to it instead', async () => {
    show()
    write('x')
    leave()
    await act(() => on.actions.solver.run())
    expect(on.client.config).toBeNull()
    expect(document.activeElement).toBe(field())
  })
})

const option = (name: string, type: SolverOption['type'], initial: string, more: Partial<SolverOption> = {}) => ({
  name,
  type,
  title: name,
  initial,
  min: 0,
  max: 0,
  choices: [],
  help: '',
  ...more,
})
const TABLE: SolverOption[] = [
  option('Limit', 'int', '1000', { min: 1, max: 5000 }),
  option('Prune', 'bool', 'true'),
  option('Order', 'choice', 'file', { choices: ['file', 'greedy'] }),
  option('Arms', 'text', 'WAT'),
]

describe('a form made of options', () => {
  let set: [string, string][] = []
  const form = (values: Record<string, string> = {}) => {
    set = []
    on.show(<OptionForm id="f" options={TABLE} values={values} set={(name, value) => set.push([name, value])} />)
  }
  const of = (role: string, name: string) => control(role, name) as HTMLInputElement

  it('shows defaults, switches first', () => {
    form()
    expect(of('checkbox', 'Prune').checked).toBe(true)
    expect(of('textbox', 'Limit').value).toBe('1,000')
    expect(of('combobox', 'Order').value).toBe('file')
    expect(of('textbox', 'Arms').value).toBe('WAT')
    const before = of('checkbox', 'Prune').compareDocumentPosition(of('textbox', 'Limit'))
    expect(before & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
  })

  it('shows what was changed', () => {
    form({ Prune: 'false', Limit: '20', Order: 'greedy', Arms: 'TAW' })
    expect(of('checkbox', 'Prune').checked).toBe(false)
    expect(of('textbox', 'Limit').value).toBe('20')
    expect(of('combobox', 'Order').value).toBe('greedy')
    expect(of('textbox', 'Arms').value).toBe('TAW')
  })

  it('tells each change in the words of the table', () => {
    form()
    fireEvent.click(of('checkbox', 'Prune'))
    fireEvent.change(of('combobox', 'Order'), { target: { value: 'greedy' } })
    type(of('textbox', 'Limit'), '4,000')
    key(of('textbox', 'Limit'), 'Enter')
    type(of('textbox', 'Arms'), '  TAW ')
    fireEvent.blur(of('textbox', 'Arms'))
    expect(set).toEqual([
      ['Prune', 'false'],
      ['Order', 'greedy'],
      ['Limit', '4000'],
      ['Arms', 'TAW'],
    ])
  })

  it('keeps a number within the bounds of its option', () => {
    form()
    type(of('textbox', 'Limit'), '5,001')
    key(of('textbox', 'Limit'), 'Enter')
    screen.getByText('expected a whole number from 1 to 5,000')
    expect(set).toEqual([])
  })
})

describe('a choice of a few', () => {
  it('is a list, a switch or words of which one holds', () => {
    const said: unknown[] = []
    on.show(
      <>
        <Pick
          label="Size"
          value="s"
          choices={[['s', 'Small'] as const, ['l', 'Large'] as const]}
          set={(v) => said.push(v)}
        />
        <Tick label="Grid" value={false} set={(v) => said.push(v)} />
        <Choice<boolean>
          name="By"
          now={true}
          choices={[
            [true, 'steps'],
            [false, 'shares'],
          ]}
          set={(v) => said.push(v)}
        />
      </>,
    )
    expect((control('combobox', 'Size') as HTMLSelectElement).value).toBe('s')
    fireEvent.change(control('combobox', 'Size'), { target: { value: 'l' } })
    fireEvent.click(control('checkbox', 'Grid'))
    expect(control('button', 'steps').getAttribute('aria-pressed')).toBe('true')
    expect(control('button', 'shares').getAttribute('aria-pressed')).toBe('false')
    press('shares')
    expect(said).toEqual(['l', true, false])
  })
})
