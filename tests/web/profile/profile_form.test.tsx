/** A profile of one's own: what is refused, when it is said, and what is handed over. */
import { act } from '@testing-library/preact'
import { beforeEach, describe, expect, it } from 'vitest'
import { ProfileForm } from '../../../web/src/panels/profile/profile_form'
import { type Profile, TITLE_LIMIT } from '../../../web/src/state/profile/profile'
import { misfilled } from '../../../web/src/state/ui'
import { profileOf } from '../support/fake'
import { control, fireEvent, press, screen, stand, type } from '../support/stand'

const on = stand()

const MINE = profileOf()

let saved: Profile[] = []
let left = 0
const show = (refused = '', profile = MINE) =>
  on.show(
    <ProfileForm
      profile={profile}
      refused={refused}
      save={(made) => saved.push(made)}
      cancel={() => {
        left += 1
      }}
    />,
  )
const field = (name: string) => control('textbox', name) as HTMLInputElement
const fill = (name: string, text: string) => {
  type(field(name), text)
  fireEvent.blur(field(name))
}
const save = () => fireEvent.submit(document.querySelector('form') as HTMLFormElement)
const said = () => screen.queryByRole('alert')?.textContent

beforeEach(() => {
  saved = []
  left = 0
  show()
})

describe('the form of a profile', () => {
  it('begins with its name chosen, and amounts as they are written', () => {
    expect(document.activeElement).toBe(field('Name'))
    expect([field('Name').selectionStart, field('Name').selectionEnd]).toEqual([0, 4])
    expect(field('Name').maxLength).toBe(TITLE_LIMIT)
    expect([field('Capacity').value, field('Bank').value]).toEqual(['64 KiB', '0'])
  })

  it('hands over all that was changed, the name without what is around it', () => {
    type(field('Name'), '  Chip ')
    fill('Capacity', '1 MiB')
    fill('Reserved', '4 KiB')
    fill('Alignment', '64')
    fireEvent.change(control('combobox', 'Applies to'), { target: { value: 'both' } })
    fill('Bank', '256 KiB')
    fireEvent.click(control('checkbox', /more than one bank/))
    save()
    expect(saved).toEqual([
      {
        ...MINE,
        title: 'Chip',
        capacity: 2 ** 20,
        reserved: 4096,
        alignment: 64,
        alignBy: 'both',
        bank: 2 ** 18,
        mayCross: true,
      },
    ])
  })

  it('takes none for what may be unknown, and not for the alignment', () => {
    fill('Capacity', 'none')
    fill('Reserved', '')
    fill('Bank', '0')
    save()
    expect(saved).toEqual([{ ...MINE, capacity: 0 }])
    fill('Alignment', 'none')
    save()
    expect(saved.length).toBe(1)
  })

  it('asks about banks only where there are some', () => {
    const cross = () => control('checkbox', /more than one bank/) as HTMLInputElement
    expect(cross().disabled).toBe(true)
    fill('Bank', '1 KiB')
    expect(cross().disabled).toBe(false)
  })

  it('says what stands against it once it was to be saved, and no longer when that is mended', () => {
    type(field('Name'), ' ')
    expect(said()).toBeUndefined()
    save()
    expect(said()).toBe('The profile has no name.')
    type(field('Name'), 'Chip')
    expect(said()).toBeUndefined()
    fill('Reserved', '64 KiB')
    expect(said()).toBe('What is reserved leaves nothing of the capacity.')
    save()
    expect(saved).toEqual([])
  })

  it('goes to a field that holds no amount instead of saving the last one', () => {
    fill('Alignment', 'wide')
    save()
    expect(said()).toBe('A field above holds no number of bytes.')
    expect(saved).toEqual([])
    expect(document.activeElement).toBe(field('Alignment'))
    fill('Alignment', '16')
    expect(said()).toBeUndefined()
    save()
    expect(saved).toEqual([{ ...MINE, alignment: 16 }])
  })

  it('does not mind what is wrong on the page behind it', () => {
    const behind = document.body.appendChild(document.createElement('input'))
    behind.id = 'behind'
    act(() => misfilled.set([behind.id]))
    save()
    behind.remove()
    expect(saved).toEqual([MINE])
    expect(said()).toBeUndefined()
  })

  it('says why the problem does not go with what was saved', () => {
    show('Mine does not take this problem: bank of “b” is 8.')
    expect(said()).toBe('Mine does not take this problem: bank of “b” is 8.')
  })

  it('is left without a change', () => {
    type(field('Name'), 'Chip')
    press('Cancel')
    expect([left, saved]).toEqual([1, []])
  })
})
