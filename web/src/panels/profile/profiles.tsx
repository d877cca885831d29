/** The dialog of the accelerator profiles: find one, see what is known of it and who says so, use it, make one of your own. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { bytes } from '../../base/format'
import { useValue } from '../../base/use_value'
import { notice, ownProfiles } from '../../state/atoms'
import { boundless } from '../../state/profile/chips'
import { copyOf, faultOf, isOwn, OWN_LIMIT, type Profile, usable } from '../../state/profile/profile'
import { savedOnto } from '../../state/profile/saved_onto'
import { known } from '../../state/profile/profile_texts'
import { width } from '../../state/ui'
import { CommandText } from '../page/command_button'
import { useActions } from '../page/context'
import { Facts } from './profile_facts'
import { ProfileForm } from './profile_form'
import { finds, ProfileSearch } from './profile_search'
import { opened, profile as chosenProfile } from '../../state/workbench'
import '../../styles/later'

interface Group {
  name: string
  profiles: Profile[]
}

const YOURS = 'Yours'
/** Before the vendors, which go by name. */
const FIRST = [YOURS, 'General']

function groupsOf(profiles: readonly Profile[], search: string): Group[] {
  const found = finds(search)
  const groups = new Map<string, Profile[]>()
  for (const profile of profiles) {
    if (!found(profile)) continue
    const name = isOwn(profile) ? YOURS : profile.vendor
    groups.set(name, [...(groups.get(name) ?? []), profile])
  }
  const rank = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length)
  return [...groups]
    .map(([name, list]) => ({ name, profiles: list }))
    .sort((x, y) => rank(x.name) - rank(y.name) || x.name.localeCompare(y.name, 'en'))
}

function sizeText(profile: Profile): string {
  const room = usable(profile)
  return room === 0 ? 'not known' : boundless(room) ? 'no limit' : bytes(room)
}

interface ListProps {
  groups: Group[]
  shown: string
  show: (id: string) => void
  use: (id: string) => void
}

/** Radio buttons: arrows go through all of them, whatever their group. */
function List({ groups, shown, show, use }: ListProps) {
  const row = (id: string, title: string, note: string) => (
    <label key={id} class={`profile-row${id === shown ? ' profile-row-on' : ''}`} onDblClick={() => use(id)}>
      <input
        type="radio"
        name="profile"
        checked={id === shown}
        onChange={() => show(id)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') use(id)
        }}
      />
      <span class="clip">{title}</span>
      <span class="profile-size">{note}</span>
    </label>
  )
  return (
    <div class="profile-list" role="radiogroup" aria-label="Profiles">
      {row('', 'No profile', '')}
      {groups.map((group) => (
        <fieldset key={group.name}>
          <legend>{group.name}</legend>
          {group.profiles.map((profile) => row(profile.id, profile.title, sizeText(profile)))}
        </fieldset>
      ))}
      {groups.length === 0 && <p class="hint">No profile has these words.</p>}
    </div>
  )
}

export { ChipTable } from './chips'

export function Profiles() {
  const actions = useActions()
  const own = useValue(ownProfiles)
  const chosen = useValue(chosenProfile)
  const ready = useValue(opened) !== null
  const [search, setSearch] = useState('')
  const [shown, setShown] = useState(chosen?.id ?? '')
  /** as it was when the form began; new: nobody has kept it yet */
  const [editing, setEditing] = useState<Profile | null>(null)
  const [isNew, setNew] = useState(false)
  const edit = (profile: Profile, isNew: boolean) => {
    setNew(isNew)
    setEditing(profile)
  }
  const [refused, setRefused] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const find = useRef<HTMLInputElement>(null)
  const all = useMemo<Profile[]>(() => [...own, ...known], [own])
  const groups = useMemo(() => groupsOf(all, search), [all, search])
  const profile = all.find(({ id }) => id === shown) ?? null
  const focusList = () => {
    const rows = [...(list.current?.querySelectorAll<HTMLInputElement>('input[type=radio]') ?? [])]
    const row = rows.find(({ checked }) => checked) ?? rows[0]
    row?.focus()
  }
  // on a phone it would bring up the keyboard over the list
  useEffect(() => {
    if (editing === null && width.get() !== 'phone') find.current?.focus()
  }, [editing === null])
  useEffect(
    () => list.current?.querySelector('.profile-row-on')?.scrollIntoView({ block: 'nearest' }),
    [shown, editing],
  )

  /** It is said here, where it was asked for. */
  const sayRefused = () => {
    setRefused(notice.get()?.text ?? '')
    actions.page.closeNotice()
  }
  const use = async (id: string) => {
    const next = all.find((one) => one.id === id) ?? null
    setShown(id)
    if (await actions.profile.chooseProfile(next)) {
      actions.page.openDialog('none')
      return
    }
    sayRefused()
  }
  const save = async (made: Profile) => {
    const saved = savedOnto(own, isNew ? null : editing, made)
    // what another tab changed may not go with what was changed here
    const fault = faultOf(saved)
    if (fault !== '') {
      setRefused(fault)
      return
    }
    if (!(await actions.profile.saveProfile(saved))) {
      sayRefused()
      return
    }
    setRefused('')
    setEditing(null)
    setSearch('')
    setShown(saved.id)
  }
  const remove = async (gone: Profile) => {
    await actions.profile.deleteProfile(gone)
    setShown('')
    focusList()
  }
  if (editing !== null) {
    const cancel = () => {
      setRefused('')
      setEditing(null)
    }
    return <ProfileForm profile={editing} refused={refused} save={(made) => void save(made)} cancel={cancel} />
  }
  return (
    <div class="profiles">
      <div class="profile-left" ref={list}>
        <ProfileSearch
          input={find}
          search={search}
          setSearch={setSearch}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown' && event.key !== 'Enter') return
            event.preventDefault()
            const first = groups[0]?.profiles[0]
            if (first !== undefined && search !== '') setShown(first.id)
            requestAnimationFrame(focusList)
          }}
        />
        {ready && <CommandText name="chips" class="button" />}
        <List
          groups={groups}
          shown={shown}
          show={(id) => {
            setRefused('')
            setShown(id)
          }}
          use={(id) => void use(id)}
        />
      </div>
      <div class="profile-right">
        <Facts profile={profile} />
        {refused !== '' && (
          <p class="why" role="alert">
            {refused}
          </p>
        )}
        <div class="row row-wrap">
          <button type="button" class="button primary" onClick={() => void use(shown)}>
            {profile === null ? 'Use none' : ready ? 'Use profile' : 'Use for the next problem'}
          </button>
          {profile !== null && (
            <button
              type="button"
              class="button"
              disabled={own.length >= OWN_LIMIT}
              onClick={() => edit(copyOf(profile, own), true)}
            >
              Duplicate
            </button>
          )}
          {profile !== null && isOwn(profile) && (
            <>
              <button type="button" class="button" onClick={() => edit(profile, false)}>
                Edit
              </button>
              <button type="button" class="plain-button" onClick={() => void remove(profile)}>
                Delete
              </button>
            </>
          )}
        </div>
      </div>
    </div>
  )
}
