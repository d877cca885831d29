/**
 * What links, files and the browser's storage may hold: one schema, by which it is checked on the way in. Past that everything is typed.
 * Unknown keys are dropped. A new field is a line of `fields` here, with its default if links may lack it.
 */
import * as v from 'valibot'
import { ALIGN_BY, type Goal, GOALS } from '../../../../wasm/client/types'
import type { Viewport } from '../../layout/scene'
import {
  CHOICES,
  type Mark,
  MARK_LIMIT,
  type MarkAsk,
  type Noted,
  NOTE_LIMIT,
  type Range,
  type Stop,
  STOP_LIMIT,
  STOP_STEPS,
} from '../marks/marks'
import { faultOf, type Profile, TITLE_LIMIT } from '../profile/profile'
import { BUDGET_DEFAULT, type ModelOrigin } from '../workbench_values'

/** A model from a file travels with its graph as CSV, one of ours by its id and parameters. Both are lowered again. */
export type SharedSource =
  | { kind: 'example'; file: string }
  | { kind: 'text'; name: string; text: string }
  | { kind: 'graph'; name: string; text: string; format: string; lowering: Record<string, string> }
  | { kind: 'zoo'; id: string; options: Record<string, string>; lowering: Record<string, string> }

type Checked<T> = v.GenericSchema<unknown, T>

/** Characters of a solver's or an option's name. */
const NAME_LIMIT = 64
const FILE_NAME_LIMIT = 255
/** Characters of a search's key. */
const KEY_LIMIT = 2 ** 16
/** Characters of a problem. */
const PROBLEM_LIMIT = 2 ** 28
const LISTED = 64

const text = (most: number) => v.pipe(v.string(), v.maxLength(most))
/** Of a solver, an option, a rule. */
export const name = text(NAME_LIMIT)
const hex = (digits: number) => v.pipe(v.string(), v.regex(new RegExp(`^[0-9a-f]{${digits}}$`)))
const list = <T>(most: number, one: Checked<T>) => v.pipe(v.array(one), v.maxLength(most))
const rising = (entries: readonly { step: number }[], by: number) =>
  entries.every(({ step }, k) => k === 0 || step >= (entries[k - 1]?.step ?? 0) + by)

/** 0 to 2^53 - 1. */
export const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const isTable = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Options by name, as texts. */
export const options: Checked<Record<string, string>> = v.pipe(
  v.custom<Record<string, string>>(isTable, 'Invalid type: Expected a table'),
  v.record(name, text(1024)),
  v.maxEntries(LISTED),
)

export const goal: Checked<Goal> = v.optional(v.picklist(GOALS), 'fit')

/** More steps than any lesson has. */
const STEPS = 100
const lessonStep = v.pipe(whole, v.maxValue(STEPS - 1))
/** A step of a lesson, from 0. */
export const lessonPlace: Checked<{ id: string; step: number }> = v.object({ id: name, step: lessonStep })

/** Where a model's graph came from. */
export const modelOrigin: Checked<ModelOrigin> = v.variant('kind', [
  v.object({ kind: v.literal('file'), format: name }),
  v.object({ kind: v.literal('zoo'), id: name, options }),
])

const edge = v.pipe(v.number(), v.finite())
export const viewport: Checked<Viewport> = v.pipe(
  v.object({ t0: edge, t1: edge, b0: edge, b1: edge }),
  v.check(({ t0, t1, b0, b1 }) => t0 < t1 && b0 < b1, 'it shows nothing'),
)

export const profile: Checked<Profile> = v.pipe(
  v.object({
    id: text(40),
    title: text(TITLE_LIMIT),
    vendor: text(TITLE_LIMIT),
    capacity: whole,
    reserved: whole,
    alignment: v.pipe(whole, v.minValue(1)),
    alignBy: v.picklist(ALIGN_BY),
    bank: whole,
    mayCross: v.optional(v.boolean(), false),
  }),
  v.check((made) => faultOf(made) === '', 'it cannot be'),
)

const words = text(NOTE_LIMIT)
const asked = { question: words, hint: v.optional(words, '') }
const choices = v.pipe(v.array(words), v.minLength(CHOICES.min), v.maxLength(CHOICES.max))
/** What a tour asks at a step. */
export const ask: Checked<MarkAsk> = v.variant('kind', [
  v.object({ kind: v.literal('number'), answer: whole, ...asked }),
  v.object({ kind: v.literal('buffer'), answer: text(255), ...asked }),
  v.pipe(
    v.object({ kind: v.literal('choice'), options: choices, answer: whole, ...asked }),
    v.check(({ options, answer }) => answer < options.length, 'the right answer is none of the options'),
  ),
])

const noted: Checked<Noted> = v.object({ step: whole, note: words, ask: v.optional(ask) })
/** of: the search whose step it is */
export const mark: Checked<Mark> = v.object({
  step: whole,
  note: words,
  ask: v.optional(ask),
  of: text(KEY_LIMIT),
})

const on = v.optional(v.boolean(), true)
export const stop: Checked<Stop> = v.variant('what', [
  v.object({ what: v.picklist(['placed', 'tried', 'undone']), buffer: text(255), on }),
  v.object({ what: v.literal('deeper'), than: whole, on }),
  v.object({ what: v.literal('rule'), rule: name, on }),
  v.object({ what: v.literal('section'), section: whole, on }),
  v.object({ what: v.literal('step'), event: v.picklist(STOP_STEPS), on }),
])

const ends = { from: whole, to: whole }
const isForward = ({ from, to }: { from: number; to: number }) => from < to
const BACKWARD = 'it ends before it begins'
const range: Checked<Range> = v.pipe(v.object(ends), v.check(isForward, BACKWARD))
/** A range with its search. */
export const rangeOfSearch: Checked<Range & { of: string }> = v.pipe(
  v.object({ ...ends, of: text(KEY_LIMIT) }),
  v.check((one) => isForward(one), BACKWARD),
)

const source: Checked<SharedSource> = v.variant('kind', [
  v.object({ kind: v.literal('example'), file: v.pipe(text(FILE_NAME_LIMIT), v.regex(/^[\w.-]+$/)) }),
  v.object({ kind: v.literal('text'), name: text(FILE_NAME_LIMIT), text: text(PROBLEM_LIMIT) }),
  v.object({
    kind: v.literal('graph'),
    name: text(FILE_NAME_LIMIT),
    text: text(PROBLEM_LIMIT),
    format: name,
    lowering: options,
  }),
  v.object({ kind: v.literal('zoo'), id: name, options, lowering: options }),
])

/** How it is looked at: nothing here changes a search, and what this version does not have of it is passed over. */
const view = v.object({
  /** null: everything */
  viewport: v.optional(v.nullable(viewport), null),
  tab: v.optional(name, 'step'),
  /** '': by the number of buffers */
  colour: v.optional(name, ''),
  /** buffers by index */
  pinned: v.optional(list(LISTED, whole), []),
})

const NO_DIGEST = '0'.repeat(16)

const RUN_LIMIT = 4
/** A run of the comparison, with what became of it. */
const lane = v.object({
  solver: name,
  goal,
  options: v.optional(options, {}),
  capacity: whole,
  seed: v.optional(whole, 1),
  budget: v.optional(whole, BUDGET_DEFAULT),
  /** '': it had not ended */
  digest: v.optional(v.union([hex(16), v.literal('')]), ''),
})

/** What of the comparison is looked at. Its own choices are checked where they are kept (state/compare/compare.ts). */
const compare = v.object({
  tab: name,
  /** of the runs */
  lanes: v.optional(list(RUN_LIMIT, lane), []),
  /** of the playhead over the runs, in steps of the longest; null: it is at the end */
  at: v.optional(v.nullable(whole), null),
  /** what the playhead keeps beside each other: equal steps, or equal shares of each run */
  by: v.optional(v.picklist(['steps', 'share']), 'steps'),
  /** settings of the sweep or of the matrix, whichever is looked at; null: there are none */
  choice: v.optional(v.nullable(v.custom<Record<string, unknown>>(isTable, 'Invalid type: Expected a table')), null),
  /** over the digests of all of its runs in their order; '': they had not all ended */
  digest: v.optional(v.union([hex(16), v.literal('')]), ''),
})

/** A digest over the search up to a step, cut to its first 8 hex digits. */
const checkpoint = v.object({ step: whole, digest: hex(8) })

/** All that is needed to see the same step of the same search again, and to know that it is the same. A field with a default may be missing. */
const fields = v.object({
  source,
  /** the memory that the problem is placed in */
  profile: v.optional(v.nullable(profile), null),
  solver: name,
  goal,
  options: v.optional(options, {}),
  capacity: whole,
  seed: v.optional(whole, 1),
  /** steps, 0: none */
  budget: v.optional(whole, BUDGET_DEFAULT),
  step: v.optional(whole, 0),
  /** over the steps up to `step` */
  digest: v.optional(hex(16), NO_DIGEST),
  /** steps taken in all, and whether the search had ended there */
  steps: v.optional(whole, 0),
  ended: v.optional(v.boolean(), false),
  /** over all steps */
  finalDigest: v.optional(hex(16), NO_DIGEST),
  /** earlier steps in rising order, to narrow a difference down */
  checkpoints: v.optional(
    v.pipe(
      v.array(checkpoint),
      v.maxLength(LISTED),
      v.check((all) => rising(all, 0), 'they are not in order'),
    ),
    [],
  ),
  /** null: as the page is, all of the canvas */
  view: v.optional(v.nullable(view), null),
  /** marked steps of this search, in rising order */
  marks: v.optional(
    v.pipe(
      v.array(noted),
      v.maxLength(MARK_LIMIT),
      v.check((all) => rising(all, 1), 'the marked steps do not rise'),
    ),
    [],
  ),
  /** what playing stops at */
  stops: v.optional(list(STOP_LIMIT, stop), []),
  range: v.optional(v.nullable(range), null),
  /** what the sender says about it, '' for nothing */
  message: v.optional(words, ''),
  /** null: the search itself is looked at */
  compare: v.optional(v.nullable(compare), null),
})

export type Checkpoint = v.InferOutput<typeof checkpoint>
export type SharedView = v.InferOutput<typeof view>
export type SharedCompare = v.InferOutput<typeof compare>
export type Shared = v.InferOutput<typeof fields>

export const shared: Checked<Shared> = v.pipe(
  fields,
  v.check(({ step, steps }) => step <= steps, 'the step lies behind the last step'),
)

/** Throws what `reasonOf` puts into words. */
export const parseShared = (value: unknown): Shared => v.parse(shared, value)

/** The first thing that is wrong, and where; '' if the error is of another kind. */
export function reasonOf(error: unknown): string {
  if (!v.isValiError(error)) return ''
  const [issue] = error.issues
  const place = v.getDotPath(issue)
  return place === null ? issue.message : `${place}: ${issue.message}`
}

/** The value, if it is one; what is kept badly is as if it were not kept. */
export function read<T, D>(schema: Checked<T>, value: unknown, otherwise: D): T | D {
  const found = v.safeParse(schema, value)
  return found.success ? found.output : otherwise
}

type Plain = Record<string, unknown>
const VIEW: Plain = { ...v.parse(view, {}) }
/** What a field is that a link lacks. */
const DEFAULTS: Plain = v.getDefaults(fields)

function without(value: Plain, defaults: Plain): Plain {
  const same = (key: string) => JSON.stringify(value[key]) === JSON.stringify(defaults[key])
  return Object.fromEntries(Object.entries(value).filter(([key]) => !same(key)))
}

/** Without what goes without saying: `parseShared` gives it back as it was. */
export function brief(value: Shared): Plain {
  const view = value.view && without({ ...value.view }, VIEW)
  return without({ ...value, view }, { ...DEFAULTS, goal: 'fit' })
}
