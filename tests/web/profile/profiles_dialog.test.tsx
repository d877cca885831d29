/** Accelerator profiles: finding and using one, making one's own, and what the form says of the one that is used. */
import { beforeEach, describe, expect, it } from 'vitest'
import { ProfileField } from '../../../web/src/panels/profile/profile'
import { Profiles } from '../../../web/src/panels/profile/profiles'
import * as a from '../../../web/src/state/atoms'
import { OWN_LIMIT, type Profile } from '../../../web/src/state/profile/profile'
import { known } from '../../../web/src/state/profile/profile_texts'
import * as ui from '../../../web/src/state/ui'
import { profileOf } from '../support/fake'
import { control, fireEvent, key, press, screen, stand, type, until } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const on = stand()

const MINE = profileOf({ title: 'My NPU', capacity: 4096, reserved: 96, alignment: 64, bank: 1024 })
const one = (id: string) => known.find((profile) => profile.id === id) as Profile
const radios = () => [...document.querySelectorAll<HTMLInputElement>('input[type=radio]')]
const titles = () => radios().map((radio) => radio.closest('label')?.querySelector('.clip')?.textContent)
const groups = () => [...document.querySelectorAll('legend')].map((legend) => legend.textContent)
const row = (title: string) => radios()[titles().indexOf(title)] as HTMLInputElement
const search = () => field('Find a profile')
// among so many radio buttons a look-up by role takes long
const button = (text: string) => screen.getByText(text, { selector: 'button' })
const push = (text: string) => fireEvent.click(button(text))
const field = (name: string) => screen.getByLabelText(name) as HTMLInputElement

beforeEach(() => {
  ui.dialog.set('profiles')
})

describe('the list of profiles', () => {
  it('has one’s own first, then the general ones, then vendors by name', () => {
    a.ownProfiles.set([MINE])
    on.show(<Profiles />)
    expect(groups().slice(0, 2)).toEqual(['Yours', 'General'])
    const vendors = groups().slice(2)
    expect(vendors).toEqual([...vendors].sort((x, y) => String(x).localeCompare(String(y), 'en')))
    expect(radios()).toHaveLength(known.length + 2)
    expect(row('My NPU').closest('label')?.textContent).toContain('3.9 KiB')
  })

  it('shows those that have every word that is looked for', () => {
    on.show(<Profiles />)
    type(search(), 'Corstone300 arm u55')
    expect(groups()).toEqual(['Arm'])
    expect(titles()).toEqual(['No profile', one('arm-ethos-u55-corstone300').title])
    type(search(), 'corstone300 google')
    screen.getByText('No profile has these words.')
  })

  it('leads from the search to the first that was found', () => {
    on.show(<Profiles />)
    expect(document.activeElement).toBe(search())
    type(search(), 'k210')
    key(search(), 'Enter')
    expect(row(one('kendryte-k210-kpu').title).checked).toBe(true)
  })

  it('does not bring up the keyboard of a phone', () => {
    ui.width.set('phone')
    on.show(<Profiles />)
    expect(document.activeElement).not.toBe(search())
  })
})

describe('a profile', () => {
  it('is used by its button, by Enter and by a double click', async () => {
    on.show(<Profiles />)
    const esp = one('espressif-esp32-s3')
    fireEvent.click(row(esp.title))
    push('Use profile')
    await on.settle()
    expect(workbench.profile.get()?.id).toBe(esp.id)
    expect(ui.dialog.get()).toBe('none')
    expect(on.client.profiles.at(-1)).toMatchObject({ id: esp.id })
    key(row('No profile'), 'Enter')
    await on.settle()
    expect(workbench.profile.get()).toBeNull()
    fireEvent.dblClick(row(esp.title).closest('label') as Element)
    await on.settle()
    expect(workbench.profile.get()?.id).toBe(esp.id)
  })

  it('that does not take the problem is refused here, with the reason', async () => {
    const esp = one('espressif-esp32-s3')
    on.client.refuses = esp.id
    on.show(<Profiles />)
    fireEvent.click(row(esp.title))
    push('Use profile')
    await on.settle()
    expect(screen.getByRole('alert').textContent).toContain('of “b” is 8')
    expect(workbench.profile.get()).toBeNull()
    expect(a.notice.get()).toBeNull()
    expect(ui.dialog.get()).toBe('profiles')
    fireEvent.click(row('No profile'))
    await on.settle()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('is for the next problem where there is none', async () => {
    await on.session.clear()
    on.show(<Profiles />)
    fireEvent.click(row(one('kendryte-k210-kpu').title))
    button('Use for the next problem')
  })

  it('that is used is the one shown first', () => {
    workbench.profile.set(one('kendryte-k210-kpu'))
    on.show(<Profiles />)
    expect(
      radios()
        .find((radio) => radio.checked)
        ?.closest('label')?.textContent,
    ).toContain(one('kendryte-k210-kpu').title)
  })
})

describe('a profile of one’s own', () => {
  it('is made of a copy, named at once, and shown when it is saved', async () => {
    on.show(<Profiles />)
    const from = one('kendryte-k210-kpu')
    fireEvent.click(row(from.title))
    push('Duplicate')
    expect(document.activeElement).toBe(field('Name'))
    type(field('Name'), '  Bench  ')
    type(field('Capacity'), '4 KiB')
    fireEvent.blur(field('Capacity'))
    push('Save')
    await on.settle()
    expect(a.ownProfiles.get()).toMatchObject([{ id: 'own-1', title: 'Bench', vendor: '', capacity: 4096 }])
    expect(row('Bench').checked).toBe(true)
    expect(workbench.profile.get()).toBeNull()
  })

  it('has what another tab saved meanwhile, but for what was changed here', async () => {
    a.ownProfiles.set([MINE])
    on.show(<Profiles />)
    fireEvent.click(row('My NPU'))
    push('Edit')
    type(field('Name'), 'Here')
    a.ownProfiles.set([{ ...MINE, title: 'There', capacity: 8192 }])
    await on.settle()
    push('Save')
    await on.settle()
    expect(a.ownProfiles.get()).toEqual([{ ...MINE, title: 'Here', capacity: 8192 }])
  })

  it('is not kept where the two changes do not go together', async () => {
    a.ownProfiles.set([MINE])
    on.show(<Profiles />)
    fireEvent.click(row('My NPU'))
    push('Edit')
    type(field('Reserved'), '2048')
    fireEvent.blur(field('Reserved'))
    const there = { ...MINE, capacity: 1024 }
    a.ownProfiles.set([there])
    await on.settle()
    push('Save')
    await on.settle()
    expect(screen.getByRole('alert').textContent).toBe('What is reserved leaves nothing of the capacity.')
    expect(a.ownProfiles.get()).toEqual([there])
    type(field('Reserved'), '512')
    fireEvent.blur(field('Reserved'))
    push('Save')
    await on.settle()
    expect(a.ownProfiles.get()).toEqual([{ ...there, reserved: 512 }])
  })

  it('does not take the place of one that another tab made meanwhile', async () => {
    on.show(<Profiles />)
    fireEvent.click(row(one('kendryte-k210-kpu').title))
    push('Duplicate')
    type(field('Name'), 'Here')
    a.ownProfiles.set([{ ...MINE, id: 'own-1' }])
    await on.settle()
    push('Save')
    await on.settle()
    expect(a.ownProfiles.get().map(({ id, title }) => [id, title])).toEqual([
      ['own-1', 'My NPU'],
      ['own-2', 'Here'],
    ])
    expect(row('Here').checked).toBe(true)
  })

  it('is not kept while something stands against it, which is said', async () => {
    a.ownProfiles.set([MINE])
    on.show(<Profiles />)
    fireEvent.click(row('My NPU'))
    push('Edit')
    type(field('Name'), ' ')
    expect(screen.queryByRole('alert')).toBeNull()
    push('Save')
    await on.settle()
    expect(screen.getByRole('alert').textContent).toBe('The profile has no name.')
    type(field('Name'), 'Mine')
    type(field('Reserved'), '5000')
    fireEvent.blur(field('Reserved'))
    push('Save')
    expect(screen.getByRole('alert').textContent).toBe('What is reserved leaves nothing of the capacity.')
    await on.settle()
    expect(a.ownProfiles.get()).toEqual([MINE])
    push('Cancel')
    expect(row('My NPU').checked).toBe(true)
  })

  it('is not kept while a field holds no value', async () => {
    a.ownProfiles.set([MINE])
    on.show(<Profiles />)
    fireEvent.click(row('My NPU'))
    push('Edit')
    type(field('Reserved'), 'much')
    fireEvent.blur(field('Reserved'))
    push('Save')
    await on.settle()
    expect(screen.getByRole('alert').textContent).toBe('A field above holds no number of bytes.')
    expect(a.ownProfiles.get()).toEqual([MINE])
    type(field('Reserved'), '100')
    fireEvent.blur(field('Reserved'))
    push('Save')
    await on.settle()
    expect(a.ownProfiles.get()).toEqual([{ ...MINE, reserved: 100 }])
  })

  it('that is in use and changed is not kept if the problem does not go with the change', async () => {
    a.ownProfiles.set([MINE])
    workbench.profile.set(MINE)
    on.client.refuses = MINE.id
    on.show(<Profiles />)
    push('Edit')
    type(field('Name'), 'Changed')
    push('Save')
    await on.settle()
    expect(screen.getByRole('alert').textContent).toContain('of “b” is 8')
    expect(a.ownProfiles.get()).toEqual([MINE])
    expect(field('Name').value).toBe('Changed')
  })

  it('is deleted, and given up where it is in use', async () => {
    a.ownProfiles.set([MINE])
    workbench.profile.set(MINE)
    on.show(<Profiles />)
    push('Delete')
    // drawn as it comes, not at the end of all: the focus goes to what is there by then
    await until(() => expect(document.activeElement).toBe(row('No profile')))
    expect(a.ownProfiles.get()).toEqual([])
    expect(workbench.profile.get()).toBeNull()
  })

  it('is what can be changed or deleted: those of the core are not', () => {
    on.show(<Profiles />)
    fireEvent.click(row(one('kendryte-k210-kpu').title))
    expect(screen.queryByText('Edit')).toBeNull()
    expect(screen.queryByText('Delete')).toBeNull()
  })

  it('is one of so many at most', () => {
    a.ownProfiles.set(Array.from({ length: OWN_LIMIT }, (_, k) => ({ ...MINE, id: `own-${k}`, title: `n${k}` })))
    on.show(<Profiles />)
    fireEvent.click(row('n3'))
    expect(button('Duplicate')).toHaveProperty('disabled', true)
  })

  it('lies in banks only where it has some', () => {
    a.ownProfiles.set([MINE])
    on.show(<Profiles />)
    fireEvent.click(row('My NPU'))
    push('Edit')
    const cross = field('A buffer may lie in more than one bank')
    expect(cross).toHaveProperty('disabled', false)
    type(field('Bank'), 'none')
    fireEvent.blur(field('Bank'))
    expect(cross).toHaveProperty('disabled', true)
  })
})

describe('the profile in the form', () => {
  it('is none, or the one that is used with what it asks of the buffers', async () => {
    on.show(<ProfileField />)
    control('button', 'Profile: none')
    workbench.profile.set(MINE)
    await on.settle()
    press('Profile: My NPU')
    expect(ui.dialog.get()).toBe('profiles')
    screen.getByText('In it: offsets in 64 B, banks of 1 KiB not crossed.')
  })

  it('offers its capacity where another one is set', async () => {
    workbench.profile.set(MINE)
    workbench.capacity.set(12)
    on.show(<ProfileField />)
    press('Use that')
    expect(workbench.capacity.get()).toBe(4000)
    await on.settle()
    expect(screen.queryByRole('button', { name: 'Use that' })).toBeNull()
  })

  it('asks for nothing that it leaves free', () => {
    workbench.profile.set({ ...MINE, alignment: 1, mayCross: true })
    on.show(<ProfileField />)
    expect(screen.queryByText(/^In it:/)).toBeNull()
  })
})
