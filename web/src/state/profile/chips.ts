/** Which of the profiles the open problem fits: what it needs in each one's memory against what there is. */
import { Cell } from '../../base/cell'
import { bytes } from '../../base/format'
import type { Column } from '../compare/table'
import { heightWords, type KnownHeight } from '../solver/known_height'
import type { Opened } from '../workbench_values'
import { type Profile, usable } from './profile'

/** What the problem needs where memory is aligned and divided in one way; a sentence where it is not taken. */
export type Need = { ok: true; height: KnownHeight } | { ok: false; why: string }

export interface Chip {
  profile: Profile
  /** what its memory is, in words */
  memory: string
  need: Need
}

export interface Chips {
  of: Opened
  /** null: being worked out */
  chips: readonly Chip[] | null
}

/** Behind a link: the table of the chips that its problem fits is open. */
export const CHIPS_FLAG = 'chips=1'

export const chips = new Cell<Chips | null>(null)
export function setChips(known: Chips): void {
  chips.set(known)
}

/** Memories that take buffers in the same way need the same. */
export const mannerOf = ({ alignment, alignBy, bank, mayCross }: Profile) =>
  `${alignment} ${alignBy} ${bank} ${bank === 0 || mayCross}`

export type Fit = 'fits' | 'misses' | 'open' | 'unknown' | 'refused'

/** As many bytes as can be counted: to have a limit is no property of such a memory. */
export const boundless = (size: number) => size > 2 ** 50

/** A plan within it fits, a bound above it does not, whatever lies between is open. */
export function fitOf({ profile, need }: Chip): Fit {
  const room = usable(profile)
  if (!need.ok) return 'refused'
  if (room === 0) return 'unknown'
  const { bytes: height, known } = need.height
  if (height <= room) return known === 'least' ? 'open' : 'fits'
  return known === 'most' ? 'open' : 'misses'
}

/** Bytes to spare, negative: missing. null: not known. */
export function spareOf({ profile, need }: Chip): number | null {
  const room = usable(profile)
  return !need.ok || room === 0 || boundless(room) ? null : room - need.height.bytes
}

const FIT_WORDS: Readonly<Record<Fit, string>> = {
  fits: 'fits',
  misses: 'misses',
  open: 'open',
  unknown: 'size not known',
  refused: 'not taken',
}

export function fitWords(chip: Chip): string {
  const [fit, spare] = [fitOf(chip), spareOf(chip)]
  if (spare === null) return FIT_WORDS[fit]
  if (fit === 'fits') return `fits, ${bytes(spare)} to spare`
  return fit === 'misses' ? `misses by ${bytes(-spare)}` : FIT_WORDS[fit]
}

export const CHIP_COLUMNS: readonly Column<Chip>[] = [
  {
    id: 'chip',
    title: 'Memory of',
    number: false,
    value: ({ profile }) => profile.title,
    shown: ({ profile }) => profile.title,
  },
  {
    id: 'vendor',
    title: 'Vendor',
    number: false,
    value: ({ profile }) => profile.vendor || 'yours',
    shown: ({ profile }) => profile.vendor || 'Yours',
  },
  {
    id: 'room_bytes',
    title: 'For buffers',
    number: true,
    value: ({ profile }) => usable(profile) || null,
    shown: ({ profile }) => {
      const room = usable(profile)
      return room === 0 ? '–' : boundless(room) ? 'no limit' : bytes(room)
    },
  },
  {
    id: 'needs_bytes',
    title: 'Needs',
    number: true,
    value: ({ need }) => (need.ok ? need.height.bytes : null),
    shown: ({ need }) => (need.ok ? heightWords(need.height) : '–'),
  },
  {
    id: 'known',
    title: 'Known',
    number: false,
    value: ({ need }) => (need.ok ? need.height.known : null),
    shown: ({ need }) => (need.ok ? need.height.known : '–'),
  },
  { id: 'fit', title: 'Fits?', number: false, value: fitOf, shown: (chip) => FIT_WORDS[fitOf(chip)] },
  { id: 'spare_bytes', title: 'To spare', number: true, value: spareOf, shown: (chip) => fitWords(chip) },
]
