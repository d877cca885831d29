/**
 * What the browser keeps between visits, as entries of a ledger: `desk` (what is open, with its memory and settings, its range of steps and the part of the canvas), and one entry for each
 * profile of the reader's own, mark with its note, stop, solver's options and setting of the page. What cannot be read is dropped.
 */
import type { Goal } from '../../../../wasm/client/types'
import type { ThemeChoice } from '../ui'
import type { Viewport } from '../../layout/scene'
import { modelOrigin, optionValues, parseViewport, record, text, whole } from './validation'
import { type Box, type Ledger, parsed } from './ledger'
import {
  inOrder,
  type Mark,
  MARK_LIMIT,
  parseMarks,
  parseRange,
  parseStops,
  type Range,
  type Stop,
  STOP_LIMIT,
} from '../marks/marks'
import { type Panels, readPanel } from '../page/panel_widths'
import { goal } from './schema'
import { OWN_LIMIT, type Profile, parseProfile, plain } from '../profile/profile'
import { BUDGET_DEFAULT, type ModelOrigin } from '../workbench_values'

/** Commands that are remembered. */
export const MOST_RECENT = 8
/** Of all that earlier versions kept. */
const OLD_KEY = 'arenascope.v1'
export const PREFIX = 'arenascope.v2 '
export const DESK = 'desk'
/** Storages hold some 5 MB for a whole site, in characters: longer problems are kept elsewhere. */
export const TEXT_LIMIT = 1_500_000

/** A problem as it can be opened again: by the name of the example, or from its text. */
export type KeptSource =
  | { kind: 'example'; file: string }
  | ({ kind: 'text'; name: string } & KeptText)
  | ({ kind: 'model'; name: string; lowering: Record<string, string>; from: ModelOrigin } & KeptText)

/** long: where a text is that is too long to stand here ('' then). */
type KeptText = { text: string; long?: string }

/** What a tab works on. */
export interface Desk {
  /** null: the problem was cleared, or there was none */
  source: KeptSource | null
  /** the whole that the problem is a part of */
  aside: { source: Kept['source']; capacity: number; count: number } | null
  /** the memory that the problem is placed in */
  profile: Profile | null
  solver: string
  goal: Goal
  capacity: number
  seed: number
  budget: number
  /** of steps, with its search */
  range: (Range & { of: string }) | null
  /** what the canvas shows of the problem; null: all of it */
  viewport: Viewport | null
}

export interface Kept extends Desk {
  ownProfiles: readonly Profile[]
  options: Record<string, Record<string, string>>
  theme: ThemeChoice
  speed: number
  hintSeen: boolean
  recent: readonly string[]
  panels: Panels
  singleKeys: boolean
  marks: readonly Mark[]
  stops: readonly Stop[]
}

type Entries = ReadonlyMap<string, string>

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
  const long = typeof from.long === 'string' ? { long: from.long } : {}
  if (from.kind === 'text') return { kind: 'text', name, text, ...long }
  if (from.kind !== 'model') return null
  return guarded(
    (): KeptSource => ({
      kind: 'model',
      name,
      text,
      ...long,
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

/** A profile of the reader's own. */
function ownProfile(value: unknown): Profile[] {
  const one = profile(value)
  return one !== null && one.vendor === '' ? [one] : []
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

function deskOf(value: unknown): Desk {
  const from = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  return {
    source: source(from.source),
    aside: aside(from.aside),
    profile: profile(from.profile),
    solver: typeof from.solver === 'string' ? from.solver : '',
    goal: guarded(() => goal(from.goal), 'fit'),
    capacity: guarded(() => whole(from.capacity, ''), 0),
    seed: guarded(() => whole(from.seed, ''), 1),
    budget: guarded(() => whole(from.budget, ''), BUDGET_DEFAULT),
    range: guarded(() => range(from.range), null),
    viewport: guarded(() => parseViewport(from.viewport ?? null), null),
  }
}

/** Entries of a kind, with what their names say beside it. */
function each<T>(entries: Entries, kind: string, read: (name: string, value: unknown) => T[]): T[] {
  const start = `${kind} `
  return [...entries].flatMap(([entry, json]) =>
    entry.startsWith(start) ? guarded(() => read(entry.slice(start.length), parsed(json)), []) : [],
  )
}

function markOf(name: string, note: unknown): Mark[] {
  const [, step, of] = /^(\d+) ([\s\S]*)$/.exec(name) ?? []
  return parseMarks([{ step: Number(step), of, note }])
}

const numberIn = (id: string) => Number(/\d+$/.exec(id)?.[0] ?? 0)

/** What entries say. Those that say nothing that is understood are left out. */
export function keptOf(entries: Entries): Kept {
  const one = (entry: string) => parsed(entries.get(entry))
  const theme = one('theme')
  return {
    ...deskOf(one(DESK)),
    ownProfiles: each(entries, 'profile', (_, value) => ownProfile(value))
      .sort((x, y) => numberIn(x.id) - numberIn(y.id))
      .slice(0, OWN_LIMIT),
    options: Object.fromEntries(each(entries, 'options', (solver, value) => [[solver, optionValues(value)] as const])),
    theme: theme === 'dark' || theme === 'light' ? theme : 'system',
    speed: guarded(() => Math.min(1e6, Math.max(1, whole(one('speed'), ''))), 10),
    hintSeen: one('hintSeen') === true,
    recent: texts(one('recent')),
    panels: readPanels(one('panels')),
    singleKeys: one('singleKeys') !== false,
    marks: each(entries, 'mark', markOf).sort(inOrder).slice(0, MARK_LIMIT),
    stops: each(entries, 'stop', (what, on) => parseStops([{ ...record(JSON.parse(what)), on }])).slice(0, STOP_LIMIT),
  }
}

/** The entries by which it is kept. A desk that is not known yet is none. */
export function entriesOf({ ownProfiles, options, marks, stops, ...rest }: Kept): Map<string, string> {
  const { theme, speed, hintSeen, recent, panels, singleKeys, ...desk } = rest
  const list: [string, unknown][] = [
    [DESK, desk satisfies Desk],
    ...Object.entries({ theme, speed, hintSeen, recent, panels, singleKeys }),
    ...Object.entries(options).map(([solver, values]): [string, unknown] => [`options ${solver}`, values]),
    ...ownProfiles.map((one): [string, unknown] => [`profile ${one.id}`, plain(one)]),
    ...marks.map(({ step, of, note }): [string, unknown] => [`mark ${step} ${of}`, note]),
    ...stops.map(({ on, ...what }): [string, unknown] => [
      `stop ${JSON.stringify(Object.fromEntries(Object.entries(what).sort()))}`,
      on,
    ]),
  ]
  return new Map(list.map(([entry, value]) => [entry, JSON.stringify(value)]))
}

/** What every page of the browser has at once, and not only from its next visit on. */
export const isShared = (entry: string): boolean => /^(theme|singleKeys|profile .*|mark .*|stop .*)$/s.test(entry)

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** The entries of what an earlier version kept in one; none if there is nothing. */
function oldEntries(box: Box): Map<string, string> {
  const value = parsed(guarded(() => box.getItem(OLD_KEY), null))
  if (typeof value !== 'object' || value === null) return new Map()
  const { theme, speed, hintSeen, recent, panels, singleKeys, ...from } = value as Record<string, unknown>
  const settings = Object.entries({ theme, speed, hintSeen, recent, panels, singleKeys })
  const entries = new Map(settings.map(([entry, one]) => [entry, JSON.stringify(one ?? null)]))
  entries.set(DESK, JSON.stringify(from))
  return entriesOf({
    ...keptOf(entries),
    ownProfiles: list(from.ownProfiles).flatMap(ownProfile),
    options: guarded(() => optionTable(from.options), {}),
    marks: list(from.marks).flatMap((mark) => guarded(() => parseMarks([mark]), [])),
    stops: list(from.stops).flatMap((stop) => guarded(() => parseStops([stop]), [])),
  })
}

/**
 * What was kept, null on a first visit. own: where this tab has its desk, which is found again in it whatever other tabs did; the last one of
 * any tab otherwise. What an earlier version kept is moved over.
 */
export function restore(ledger: Ledger, box: Box, own: Box | null = null): Kept | null {
  const old = oldEntries(box)
  if (old.size > 0) {
    const now = ledger.read()
    const refused = ledger.write(new Map([...old].filter(([entry]) => !now.has(entry))))
    if (refused.length === 0) guarded(() => box.removeItem(OLD_KEY), undefined)
  }
  const all = new Map([...old, ...ledger.read()])
  if (all.size === 0) return null
  const kept = keptOf(all)
  ledger.learn(all, entriesOf(kept), () => true)
  const desk = guarded(() => own?.getItem(PREFIX + DESK) ?? null, null)
  return desk === null ? kept : { ...kept, ...deskOf(parsed(desk)) }
}
