/** Random problems: what is offered, what is refused, and what is asked of the core. */
import { act } from '@testing-library/preact'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Random } from '../../../web/src/panels/problem/random'
import { manifest, notice } from '../../../web/src/state/atoms'
import { dialog, misfilled } from '../../../web/src/state/ui'
import { control, fireEvent, key, press, screen, stand, type } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'
import { nameOf } from '../../../web/src/state/workbench_values'

const on = stand()

const field = (name: string) => control('textbox', name) as HTMLInputElement
const kind = (name: RegExp) => control('radio', name) as HTMLInputElement
const fill = (name: string, text: string) => {
  type(field(name), text)
  key(field(name), 'Enter')
}
const open = async (name: string) => {
  await on.session.open('id,lower,upper,size\nr,0,1,2\n', { kind: 'text', name }, name)
  on.show(
    <>
      <input id="behind" />
      <dialog open>
        <Random />
      </dialog>
    </>,
  )
}

let generate: ReturnType<typeof vi.spyOn>
beforeEach(async () => {
  generate = vi.spyOn(on.client, 'generate')
  act(() => {
    const known = manifest.get()
    const generators = [
      { kind: 'towers', text: 'Tall and thin.' },
      { kind: 'steps', text: 'One on the other.' },
    ]
    if (known !== null) manifest.set({ ...known, generators })
    dialog.set('random')
  })
  await open('x.csv')
})

describe('a random problem', () => {
  it('is made of the first kind, forty buffers and the first seed at first', async () => {
    expect([kind(/towers/).checked, field('Buffers').value, field('Seed').value]).toEqual([true, '40', '1'])
    press('Make and run')
    expect(dialog.get()).toBe('none')
    await on.settle()
    expect(generate).toHaveBeenCalledWith('towers', 40, 1)
    expect(nameOf(workbench.opened.get()?.source)).toBe('towers-40-1.csv')
    expect([workbench.capacity.get(), workbench.run.get().kind]).toEqual([12, 'ended'])
  })

  it('is made of what was chosen and typed', async () => {
    fireEvent.click(kind(/steps/))
    fill('Buffers', '1,000')
    fill('Seed', '9')
    press('Make and run')
    await on.settle()
    expect(generate).toHaveBeenCalledWith('steps', 1000, 9)
  })

  it('is not made while a field holds no number; that field has the focus', async () => {
    for (const text of ['0', '1048577', 'many']) {
      fill('Buffers', text)
      press('Make and run')
      expect(document.activeElement).toBe(field('Buffers'))
    }
    await on.settle()
    expect(generate).not.toHaveBeenCalled()
    expect(dialog.get()).toBe('random')
    fill('Buffers', '1')
    press('Make and run')
    await on.settle()
    expect(generate).toHaveBeenCalledWith('towers', 1, 1)
  })

  it('is made whatever is wrong on the page behind', async () => {
    act(() => misfilled.set(['behind']))
    press('Make and run')
    await on.settle()
    expect(generate).toHaveBeenCalledOnce()
  })

  it('goes on with the next seed, and begins again after the last', () => {
    press('Next seed')
    expect(field('Seed').value).toBe('2')
    fill('Seed', '1000000')
    press('Next seed')
    expect(field('Seed').value).toBe('1')
  })

  it('begins with what the open one was made of', async () => {
    await open('steps-120-7.csv')
    expect([kind(/steps/).checked, field('Buffers').value, field('Seed').value]).toEqual([true, '120', '7'])
    await open('gone-120-7.csv')
    expect([kind(/towers/).checked, field('Buffers').value]).toEqual([true, '120'])
  })

  it('that cannot be made leaves all as it was, and says why', async () => {
    generate.mockRejectedValueOnce(new Error('Out of memory.'))
    press('Make and run')
    await on.settle()
    expect(notice.get()?.text).toBe('Out of memory.')
    expect(nameOf(workbench.opened.get()?.source)).toBe('x.csv')
  })

  it('is not offered where there are no kinds', () => {
    act(() => {
      const known = manifest.get()
      if (known !== null) manifest.set({ ...known, generators: [] })
    })
    on.show(<Random />)
    expect(screen.queryByRole('radio')).toBeNull()
    expect((control('button', 'Make and run') as HTMLButtonElement).disabled).toBe(true)
  })
})
