/** Accelerator profiles: those of the core, and those that people make of them. */
import type { ProfileSpec } from '../../../../wasm/client/types'
import { beginning } from '../../base/format'

/** What is chosen, kept and sent. Those of the core fit it. */
export interface Profile extends ProfileSpec {
  id: string
  title: string
  /** '': one of the reader's own */
  vendor: string
}

export const TITLE_LIMIT = 60
/** More than anyone keeps in their head. */
export const OWN_LIMIT = 100
const OWN = 'own-'

export const isOwn = (profile: Profile) => profile.vendor === ''

/** Bytes for buffers; 0: not known. */
export const usable = ({ capacity, reserved }: ProfileSpec) => Math.max(0, capacity - reserved)

/** What stands against it, as a sentence; '': nothing. */
export function faultOf({ title, capacity, reserved, alignment, bank }: Profile): string {
  if (title.trim() === '') return 'The profile has no name.'
  if (capacity > 0 && reserved >= capacity) return 'What is reserved leaves nothing of the capacity.'
  if (capacity > 0 && alignment > capacity) return 'The alignment is larger than the capacity.'
  return capacity > 0 && bank > capacity ? 'A bank is larger than the capacity.' : ''
}

/** The part of a profile that travels. */
export function plain({ id, title, vendor, capacity, reserved, alignment, alignBy, bank, mayCross }: Profile): Profile {
  return { id, title, vendor, capacity, reserved, alignment, alignBy, bank, mayCross }
}

const same = (x: Profile, y: Profile) =>
  x.title === y.title &&
  x.capacity === y.capacity &&
  x.reserved === y.reserved &&
  x.alignment === y.alignment &&
  x.alignBy === y.alignBy &&
  x.bank === y.bank &&
  x.mayCross === y.mayCross

/** An id that none of them has. */
export function freshId(own: readonly Profile[]): string {
  let number = 1
  while (own.some(({ id }) => id === `${OWN}${number}`)) number += 1
  return `${OWN}${number}`
}

/** A copy to be changed. */
export function copyOf(profile: Profile, own: readonly Profile[]): Profile {
  const title = beginning(`${profile.title}, copy`, TITLE_LIMIT)
  return { ...plain(profile), id: freshId(own), title, vendor: '' }
}

/**
 * A profile that came from outside, as one of those that are here: the one that is the same, or, if there is none, a new one of the
 * reader's own, for the data may have changed since it was sent.
 */
export function adopt(profile: Profile, known: readonly Profile[], own: readonly Profile[]): Profile {
  const here = [...known.filter(({ id }) => id === profile.id), ...own].find((other) => same(other, profile))
  return here ?? { ...plain(profile), id: freshId(own), vendor: '' }
}
