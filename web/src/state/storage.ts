/**
 * What the browser keeps between visits: | key | problem text, name, the whole it is a part of, solver, options, capacity, seed, budget, profile | the reader's own profiles | theme, speed, colour,
 * hint | marks with notes, stops, the range of steps | the part of the canvas |. One entry with a version; what cannot be read is dropped, a full or forbidden storage is lived with.
 */
import type { ThemeChoice } from './ui'
import { BUDGET_DEFAULT, type ModelOrigin } from './atoms'
import type { Viewport } from '../layout/scene'
import { modelOrigin, optionValues, parseViewport, record, text, whole } from './door'
import { type Mark, parseMarks, parseRange, parseStops, type Range, type Stop } from './marks'
import { type Panels, readPanel } from './panels'
import { OWN_LIMIT, type Profile, parseProfile } from './profile'

/** Commands that are remembered. */
export const MOST_RECENT = 8
const KEY = 'arenascope.v1'
/** Storages hold some 5 MB for a whole site: larger problems are not kept. */
const TEXT_LIMIT = 1_500_000

/** A problem as it can be opened again: by the name of the example, or from its text. */
export type KeptSource =
  | { kind: 'example'; file: string }
  | { kind: 'text'; name: string; text: string }
  | { kind: 'model'; name: string; text: string; lowering: Record<string, string>; from: ModelOrigin }

export interface Kept {
  /** null: the problem was cleared, or there was none */
  source: KeptSource | null
  /** the whole that the problem is a part of */
  aside: { source: Kept['source']; capacity: number; count: number } | null
  /** the memory that the problem is placed in */
  profile: Profile | null
  ownProfiles: readonly Profile[]
  solver: string
  options: Record<string, Record<string, string>>
  capacity: number
  seed: number
  budget: number
  theme: ThemeChoice
  speed: number
  hintSeen: boolean
  recent: readonly string[]
  panels: Panels
  singleKeys: boolean
  marks: readonly Mark[]
  stops: readonly Stop[]
  /** of steps, with its search */
  range: (Range & { of: string }) | null
  /** what the canvas shows of the problem; null: all of it */
  viewport: Viewport | null
}

type Box = Pick<Storage, 'getItem' | 'setItem'>

function guarded<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}

function source(value: unknown): Kept['source'] {
  if (typeof value !== 'object' || value === null) return null
  const from = value as Record<string, unknown>
  if (from.kind === 'example' && typeof from.file === 'string') return { kind: 'example', file: from.file }
  const { name, text } = from
  if (typeof text !== 'string' || typeof name !== 'string') return null
  if (from.kind === 'text') return { kind: 'text', name, text }
  if (from.kind !== 'model') return null
  return guarded(
    (): KeptSource => ({
      kind: 'model',
      name,
      text,
      lowering: optionValues(from.lowering),
      from: modelOrigin(from.from),
    }),
    null,
  )
}

function aside(value: unknown): Kept['aside'] {
  if (typeof value !== 'object' || value === null) return null
  const from = value as Record<string, unknown>
  const all = source(from.source)
  if (all === null) return null
  return {
    source: all,
    capacity: guarded(() => whole(from.capacity, ''), 0),
    count: guarded(() => whole(from.count, ''), 0),
  }
}

function optionTable(value: unknown): Kept['options'] {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(Object.entries(value).map(([solver, values]) => [solver, optionValues(values)]))
}

function profile(value: unknown): Profile | null {
  return guarded(() => parseProfile(value), null)
}

/** Those of the list that are well. */
function ownProfiles(value: unknown): Profile[] {
  if (!Array.isArray(value)) return []
  const read = value.slice(0, OWN_LIMIT).map(profile)
  return read.filter((one) => one !== null && one.vendor === '') as Profile[]
}

function readPanels(value: unknown): Panels {
  const from = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  return { left: readPanel(from.left, 'left'), side: readPanel(from.side, 'side') }
}

/** Ids of commands. */
function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string').slice(0, MOST_RECENT) : []
}

function range(value: unknown): Kept['range'] {
  const read = parseRange(value)
  return read && { ...read, of: text(record(value).of, 'a search', 2 ** 16) }
}

/** null on a first visit. */
export function restore(box: Box): Kept | null {
  const raw = guarded(() => box.getItem(KEY), null)
  const value: unknown = raw === null ? null : guarded(() => JSON.parse(raw), null)
  if (typeof value !== 'object' || value === null) return null
  const from = value as Record<string, unknown>
  const theme = from.theme
  return {
    source: source(from.source),
    aside: aside(from.aside),
    profile: profile(from.profile),
    ownProfiles: ownProfiles(from.ownProfiles),
    solver: typeof from.solver === 'string' ? from.solver : '',
    options: guarded(() => optionTable(from.options), {}),
    capacity: guarded(() => whole(from.capacity, ''), 0),
    seed: guarded(() => whole(from.seed, ''), 1),
    budget: guarded(() => whole(from.budget, ''), BUDGET_DEFAULT),
    theme: theme === 'dark' || theme === 'light' ? theme : 'system',
    speed: guarded(() => Math.min(1e6, Math.max(1, whole(from.speed, ''))), 10),
    hintSeen: from.hintSeen === true,
    recent: texts(from.recent),
    panels: readPanels(from.panels),
    singleKeys: from.singleKeys !== false,
    marks: guarded(() => parseMarks(from.marks), []),
    stops: guarded(() => parseStops(from.stops), []),
    range: guarded(() => range(from.range), null),
    viewport: guarded(() => parseViewport(from.viewport ?? null), null),
  }
}

/** False if the storage refused. */
export function keep(box: Box, kept: Kept): boolean {
  const tooLong = (from: Kept['source']) =>
    (from?.kind === 'text' || from?.kind === 'model') && from.text.length > TEXT_LIMIT
  const entry = {
    ...kept,
    source: tooLong(kept.source) ? null : kept.source,
    aside: tooLong(kept.aside?.source ?? null) ? null : kept.aside,
  }
  return guarded(() => {
    box.setItem(KEY, JSON.stringify(entry))
    return true
  }, false)
}
