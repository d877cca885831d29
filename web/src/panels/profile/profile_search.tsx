/** Finding a profile by words. */
import type { RefObject } from 'preact'
import type { Profile } from '../../state/profile/profile'
import { textOf } from '../../state/profile/profile_texts'

/** Whether every word of what is looked for is somewhere in the profile's name, vendor, id or memory. */
export function finds(search: string): (profile: Profile) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return ({ title, vendor, id }) => {
    const text = `${title} ${vendor} ${id} ${textOf(id)?.memory ?? ''}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
}

interface Search {
  search: string
  setSearch: (search: string) => void
  input?: RefObject<HTMLInputElement | null> | null
  onKeyDown?: (event: KeyboardEvent) => void
}

export function ProfileSearch({ search, setSearch, input = null, onKeyDown = () => {} }: Search) {
  return (
    <input
      ref={input}
      type="search"
      class="profile-search"
      aria-label="Find a profile"
      placeholder="Find by name, vendor or memory"
      autocomplete="off"
      spellcheck={false}
      value={search}
      onInput={(event) => setSearch(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}
