#!/usr/bin/env node
// Prints, or writes to a file, the page's side of the manifest of events: types, decoder, and what steps do to buffers and to the path.
//   npm run events: node wasm/events.mjs wasm/client/events.ts
import { readFileSync, writeFileSync } from 'node:fs'

const read = (name) =>
  readFileSync(new URL(`../core/include/asc/${name}`, import.meta.url), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
const manifest = read('events.def')

/** The macros of one argument list in turn: [['AT', 'PUTS', 'buffer', 'offset'], …]. */
const calls = (text) =>
  [...text.matchAll(/ASC_(\w+)(?:\(([^)]*)\))?/g)].map(([, name, inner]) => [name, ...(inner?.split(', ') ?? [])])

const ARGUMENTS = String.raw`((?:ASC_ARG\(\w+, \w+\)\s*)+)`
const TAIL = String.raw`,\s*${ARGUMENTS},\s*ASC_(NO_LIST|LIST|OPERATORS)(?:\("([^"]+)"\))?,\s*"([^"]+)"\)`
const STEP = new RegExp(String.raw`ASC_STEP\(\w+, \w+, "([\w-]+)", (\w+), ((?:ASC_\w+(?:\([^)]*\))?\s*)+)${TAIL}`, 'g')
const DETAIL = new RegExp(String.raw`ASC_DETAIL\(\w+, \w+, "([\w-]+)"${TAIL}`, 'g')

const event = (id, effect, roles, args, kind, list, meaning) => {
  const words = id.split('-').map((word) => word[0].toUpperCase() + word.slice(1))
  return {
    id,
    type: `${words.join('')}Event`,
    effect: effect.toLowerCase(),
    roles: calls(roles),
    args: calls(args),
    member: { LIST: 'list', OPERATORS: 'operators' }[kind],
    list,
    meaning,
  }
}
const steps = [...manifest.matchAll(STEP)].map(([, id, effect, roles, args, kind, list, text]) =>
  event(id, effect, roles, args, kind, list, text),
)
const details = [...manifest.matchAll(DETAIL)].map(([, id, args, kind, list, text]) =>
  event(id, '', '', args, kind, list, text),
)
const all = [...steps, ...details]
if (all.length !== manifest.match(/^ASC_(STEP|DETAIL)\(/gm).length)
  throw new Error('events.def: not every entry is as it says')
const roles = [...read('roles.def').matchAll(/^ASC_ROLE\(\w+, "(\w+)", "([^"]+)"\)/gm)]
const effects = [...new Set(steps.map((step) => step.effect))]

const union = (of) => of.map((one) => `  | ${one}`).join('\n')
const key = (id) => (id.includes('-') ? `'${id}'` : id)
/** Cases of a switch, those together that give the same. */
function cases(answer) {
  const kinds = new Map()
  for (const step of steps) {
    const text = answer(step)
    if (text !== null) kinds.set(text, [...(kinds.get(text) ?? []), step.id])
  }
  return [...kinds]
    .map(([text, ids]) => `${ids.map((id) => `    case '${id}':\n`).join('')}      return ${text}`)
    .join('\n')
}

const said = ({ id, type, args, member, list, meaning }) => `/** ${meaning} */
export interface ${type} extends Said {
  kind: '${id}'
${args.map(([, how, name]) => `  ${name}: ${how === 'FLAG' ? 'boolean' : 'number'}\n`).join('')}${
  member === undefined ? '' : `  /** ${list} */\n  ${member}: Uint32Array\n`
}}
`

const decoded = ({ id, args, member }, k) => `    case ${k}:
      return {
        ...said,
        kind: '${id}',
${args.map(([, how, name], a) => `        ${name}: n[at + ${4 + a}]!${how === 'FLAG' ? ' !== 0' : ''},\n`).join('')}${
  member === undefined ? '' : `        ${member}: listAt(n, at, lists),\n`
}      }`

const indices = (type) =>
  all
    .map(({ id, args }) => [id, args.filter(([, how]) => how === type).map(([, , name]) => `'${name}'`)])
    .filter(([, names]) => names.length > 0)
    .map(([id, names]) => `  ${key(id)}: [${names.join(', ')}],\n`)
    .join('')

const made = `/* What events say and do. Made by wasm/events.mjs from events.def and roles.def in core/include/asc (npm run events): not to be edited. */

/** What events of every kind have. Sizes, addresses and floors are bytes; buffers and sections are indices, 0xffffffff: none. */
interface Said {
  /** the step it belongs to, from 1; 0: what is open before the first */
  step: number
  /** line of the pseudocode, 0: none */
  line: number
  /** buffers placed after it */
  depth: number
}

${all.map(said).join('\n')}
/** Each of a run's steps has one. */
export type StepEvent =
${union(steps.map((step) => step.type))}
/** Adds detail to the step before it. */
export type DetailEvent =
${union(details.map((detail) => detail.type))}
export type SearchEvent = StepEvent | DetailEvent
export type StepKind = StepEvent['kind']
export type EventKind = SearchEvent['kind']
export type EventOf<K extends EventKind> = Extract<SearchEvent, { kind: K }>

/** What a step does to the path from the root of the search to where it stands; what the words mean is said in events.def. */
export type Effect = ${effects.map((effect) => `'${effect}'`).join(' | ')}
/** By kind of step, in the core's order. */
export const EFFECTS = {
${steps.map(({ id, effect }) => `  ${key(id)}: '${effect}',\n`).join('')}} as const satisfies Record<StepKind, Effect>
/** index = the core's number of the kind */
export const STEP_KINDS = Object.keys(EFFECTS) as readonly StepKind[]
export const isStep = (event: SearchEvent): event is StepEvent => event.kind in EFFECTS

export type StepWith<E extends Effect> = Extract<
  StepEvent,
  { kind: { [K in StepKind]: (typeof EFFECTS)[K] extends E ? K : never }[StepKind] }
>
export function hasEffect<E extends Effect>(event: SearchEvent, effect: E): event is StepWith<E> {
  return isStep(event) && EFFECTS[event.kind] === effect
}

/**
 * What a step does to a buffer that it names.
${roles.map(([, id, text]) => ` * ${id}: ${text}\n`).join('')} */
export type Role = ${roles.map(([, id]) => `'${id}'`).join(' | ')}
/** index = the core's number of the role */
export const ROLES: readonly Role[] = [${roles.map(([, id]) => `'${id}'`).join(', ')}]

/** The one buffer that a step is about, and the address it is about there; null if there is no such. */
export function spotOf(event: SearchEvent): { role: Role; buffer: number; offset: number } | null {
  switch (event.kind) {
${cases(({ roles }) => {
  const at = roles.find(([name]) => name === 'AT')
  return at ? `{ role: '${at[1].toLowerCase()}', buffer: event.${at[2]}, offset: event.${at[3]} }` : null
})}
    default:
      return null
  }
}

/** Those whom a step names in its list, and what it does to them. */
export function listOf(event: SearchEvent): { role: Role; buffers: Uint32Array } | null {
  switch (event.kind) {
${cases(({ roles }) => {
  const each = roles.find(([name]) => name === 'EACH')
  return each ? `{ role: '${each[1].toLowerCase()}', buffers: event.list }` : null
})}
    default:
      return null
  }
}

/** Members that are indices of buffers, and of sections; so is what lists hold, but for those named \`operators\`. */
export const BUFFER_MEMBERS: { readonly [K in EventKind]?: readonly string[] } = {
${indices('BUFFER')}}
export const SECTION_MEMBERS: { readonly [K in EventKind]?: readonly string[] } = {
${indices('SECTION')}}

/** Numbers of an event among the outputs: step, kind, line, depth, six arguments, where its list begins and how long it is. */
export const EVENT_NUMBERS = 12

function listAt(n: Float64Array, at: number, lists: Uint32Array): Uint32Array {
  return lists.subarray(n[at + 10]!, n[at + 10]! + n[at + 11]!)
}

/** The event whose numbers begin at \`at\`. */
export function decodeEvent(n: Float64Array, at: number, lists: Uint32Array): SearchEvent {
  const said = { step: n[at]!, line: n[at + 2]!, depth: n[at + 3]! }
  switch (n[at + 1]!) {
${all.map(decoded).join('\n')}
    default:
      throw new Error(\`The module sent an event of kind \${n[at + 1]}, which this page does not know.\`)
  }
}
`
if (process.argv[2] === undefined) process.stdout.write(made)
else writeFileSync(process.argv[2], made)
