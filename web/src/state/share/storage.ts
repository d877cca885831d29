/**
 * What the browser keeps between visits, as entries of a ledger: `desk` (what is open, with its memory and settings, its range of steps and the part of the canvas), and one entry for each
 * profile of the reader's own, mark with its note, stop, solver's options and setting of the page. What cannot be read is dropped.
 */
import * as v from 'valibot'
import type { Goal } from '../../../../wasm/client/types'
import type { ThemeChoice } from '../ui'
import type { Viewport } from '../../layout/scene'
import { type Box, KEYS, textIn } from './box'
import { type Ledger, parsed } from './ledger'
import { inOrder, type Mark, MARK_LIMIT, type Range, type Stop, STOP_LIMIT } from '../marks/marks'
import { type Panels, readPanel } from '../page/panel_widths'
import * as schema from './schema'
import { OWN_LIMIT, type Profile, plain } from '../profile/profile'
import { BUDGET_DEFAULT, type ModelOrigin } from '../workbench_values'

/** Commands that are remembered. */
export const MOST_RECENT = 8
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
  /** the step shown of a search that takes no time to be made again; null: it is not */
  at: number | null
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

const keptText = { name: v.string(), text: v.string(), long: v.exactOptional(v.string()) }
const source: v.GenericSchema<unknown, KeptSource> = v.variant('kind', [
  v.object({ kind: v.literal('example'), file: v.string() }),
  v.object({ kind: v.literal('text'), ...keptText }),
  v.object({ kind: v.literal('model'), ...keptText, lowering: schema.options, from: schema.modelOrigin }),
])

const count = v.fallback(schema.whole, 0)
const aside = v.object({ source, capacity: count, count })

/** Each field by itself: what cannot be read of it is as if it were not kept. */
const desk: v.GenericSchema<unknown, Desk> = v.object({
  source: v.fallback(v.nullable(source), null),
  aside: v.fallback(v.nullable(aside), null),
  profile: v.fallback(v.nullable(schema.profile), null),
  solver: v.fallback(v.string(), ''),
  goal: v.fallback(schema.goal, 'fit'),
  capacity: count,
  seed: v.fallback(schema.whole, 1),
  budget: v.fallback(schema.whole, BUDGET_DEFAULT),
  range: v.fallback(v.nullable(schema.rangeOfSearch), null),
  viewport: v.fallback(v.nullable(schema.viewport), null),
  at: v.fallback(v.nullable(schema.whole), null),
})

function deskOf(value: unknown): Desk {
  return v.parse(desk, typeof value === 'object' && value !== null ? value : {})
}

/** Those of a list that can be read. */
const each = <T>(one: v.GenericSchema<unknown, T>, value: unknown): T[] =>
  Array.isArray(value) ? value.flatMap((entry) => schema.read(v.tuple([one]), [entry], [])) : []

const own = (profiles: Profile[]): Profile[] => profiles.filter(({ vendor }) => vendor === '')

function readPanels(value: unknown): Panels {
  const from = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  return { left: readPanel(from.left, 'left'), side: readPanel(from.side, 'side') }
}

/** Ids of commands. */
function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string').slice(0, MOST_RECENT) : []
}

/** Entries of a kind, with what their names say beside it. */
function ofKind<T>(entries: Entries, kind: string, read: (name: string, value: unknown) => T[]): T[] {
  const start = `${kind} `
  return [...entries].flatMap(([entry, json]) =>
    entry.startsWith(start) ? guarded(() => read(entry.slice(start.length), parsed(json)), []) : [],
  )
}

/** What is kept of a mark: its note, and its question if it has one. */
function markOf(name: string, value: unknown): Mark[] {
  const [, step, of] = /^(\d+) ([\s\S]*)$/.exec(name) ?? []
  const said = typeof value === 'string' ? { note: value } : typeof value === 'object' ? value : {}
  return each(schema.mark, [{ ...said, step: Number(step), of }])
}

const numberIn = (id: string) => Number(/\d+$/.exec(id)?.[0] ?? 0)

/** What entries say. Those that say nothing that is understood are left out. */
export function keptOf(entries: Entries): Kept {
  const one = (entry: string) => parsed(entries.get(entry))
  const theme = one('theme')
  return {
    ...deskOf(one(DESK)),
    ownProfiles: own(ofKind(entries, 'profile', (_, value) => each(schema.profile, [value])))
      .sort((x, y) => numberIn(x.id) - numberIn(y.id))
      .slice(0, OWN_LIMIT),
    options: Object.fromEntries(
      ofKind(entries, 'options', (solver, value) => each(schema.options, [value]).map((one) => [solver, one] as const)),
    ),
    theme: theme === 'dark' || theme === 'light' ? theme : 'system',
    speed: Math.min(1e6, Math.max(1, schema.read(schema.whole, one('speed'), 10))),
    hintSeen: one('hintSeen') === true,
    recent: texts(one('recent')),
    panels: readPanels(one('panels')),
    singleKeys: one('singleKeys') !== false,
    marks: ofKind(entries, 'mark', markOf).sort(inOrder).slice(0, MARK_LIMIT),
    stops: ofKind(entries, 'stop', (what, on) => each(schema.stop, [{ ...JSON.parse(what), on }])).slice(0, STOP_LIMIT),
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
    ...marks.map(({ step, of, note, ask }): [string, unknown] => [`mark ${step} ${of}`, ask ? { note, ask } : note]),
    ...stops.map(({ on, ...what }): [string, unknown] => [
      `stop ${JSON.stringify(Object.fromEntries(Object.entries(what).sort()))}`,
      on,
    ]),
  ]
  return new Map(list.map(([entry, value]) => [entry, JSON.stringify(value)]))
}

/** What every page of the browser has at once, and not only from its next visit on. */
export const isShared = (entry: string): boolean => /^(theme|singleKeys|profile .*|mark .*|stop .*)$/s.test(entry)

/**
 * What was kept, null on a first visit. own: where this tab has its desk, which is found again in it whatever other tabs did; the last one of
 * any tab otherwise.
 */
export function restore(ledger: Ledger, own: Box | null = null): Kept | null {
  const all = ledger.read()
  if (all.size === 0) return null
  const kept = keptOf(all)
  ledger.learn(all, entriesOf(kept), () => true)
  const desk = textIn(own, KEYS.page + DESK)
  return desk === null ? kept : { ...kept, ...deskOf(parsed(desk)) }
}
