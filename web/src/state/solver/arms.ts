/** Arms of the portfolio of the exact solver, "10WATK": read from their names, told in words. */

import type { RunConfig, SolverInfo, SolverOption } from '../../../../wasm/client/types'

export interface Arm {
  /** what the chosen section is said to have */
  score: string
  /** static order of the candidates, greatest first */
  order: string[]
  look: '' | 'H' | 'K'
  mirrored: boolean
  /** most buffers of one lifespan lie on each other */
  glued: boolean
  /** what may be one rectangle of buffers is placed as one */
  boxed: boolean
}

/** The scores by their number: what the section that is asked next has more of, or less, than the others. */
export const SCORES: Record<string, string> = {
  '0': 'the lowest floor',
  '2': 'the fewest candidates',
  '4': 'few candidates for its many failures',
  '10': 'the most left to place',
  '12': 'a low floor and little slack',
  '14': 'a low floor and little slack for its many failures',
}

export const LETTERS: Record<string, string> = {
  W: 'longest life',
  A: 'largest area',
  T: 'greatest load met',
  Z: 'greatest size',
}

/** null if it is no name of an arm. */
export function armOf(name: string): Arm | null {
  const match = /^(\d+)([WATZ]{1,4})([HK]?)(R?)([GB]?)$/.exec(name)
  const score = SCORES[match?.[1] ?? '']
  if (match === null || score === undefined) return null
  const order = [...(match[2] ?? '')].map((letter) => LETTERS[letter] ?? letter)
  const look = (match[3] ?? '') as Arm['look']
  return { score, order, look, mirrored: match[4] === 'R', glued: match[5] === 'G', boxed: match[5] === 'B' }
}

/** MiniMalloc's names of its orders, as its option takes them: a letter for each thing they sort by. */
const isOrder = (name: string) => /^[WATZ]{2,4}$/.test(name)

/** Whether a name says nothing to who does not know it. */
export const isCode = (name = '') => armOf(name) !== null || isOrder(name)

/** "arm 1: the lowest floor, longest life first", "order 2: greatest load met first"; '' for a name that says what it is. */
export function armHint(name = '', number: number): string {
  const arm = armOf(name)
  if (isOrder(name)) return `order ${number + 1}: ${LETTERS[name[0] ?? '']} first`
  return arm === null ? '' : `arm ${number + 1}: ${arm.score}, ${arm.order[0]} first`
}

const PROPOSERS: Record<string, string> = { L: 'lifetime', S: 'size', A: 'area' }

/** TelaMalloc's heuristics "LSA", rotated by each of its restarts: "lifetime, size, area" and so on. */
export function rotations(heuristics: string): string[] {
  const names = [...heuristics].map((letter) => PROPOSERS[letter] ?? letter)
  return names.map((_, k) => [...names.slice(k), ...names.slice(0, k)].join(', '))
}

/** Orders of the large solver's tries, by number (core/src/model/large/orders.h); the last two are none. */
const TRIES = [
  'greatest load met, then length',
  'load met in twentieths, then length',
  'greatest load met, then size',
  'load met in fifths, then length',
  'load met in twentieths, then size',
  'load met in twentieths, then area',
  'size in powers of two, then area',
  'size, then time of life',
  'time of life, then size',
  'size × time of life',
  'greatest load met, then when',
  'begin',
  'a dive',
  'a dive by chance',
]

/** Whether a name is that of a try without an order. */
export const isDive = (name: string) => name.startsWith('a dive')

/** Whether that try takes lives as longer by chance. */
export const isByChance = (name: string) => name.endsWith(' by chance')

/** Orders of the tile-aware solver, by number. */
const TENSOR_ORDERS = ['largest first', 'longest life first', 'most peers first', 'last one first', 'first one first']

/** Whether a name is one of those. */
export const isTensorOrder = (name: string) => TENSOR_ORDERS.includes(name)

/** What the restarts of a run are called, in order. */
export function armNamesOf(solver: SolverInfo | null, config: Pick<RunConfig, 'goal' | 'options'>): string[] {
  const { options } = config
  const find = (name: string) => solver?.options.find((option) => option.name === name)
  if (solver?.id === 'large') return TRIES
  if (solver?.id === 'taa' || solver?.id === 'taa-exact') return TENSOR_ORDERS
  const heuristics = find('heuristics')
  if (heuristics !== undefined) return rotations(options.heuristics ?? heuristics.initial)
  const option = find('portfolio') ?? find('preordering_heuristics')
  if (option === undefined) return []
  const names = (of: SolverOption | undefined) => (of === undefined ? [] : (options[of.name] ?? of.initial).split(','))
  // minimising, the arms for the bound come first
  const bound = config.goal === 'height' ? find('bound_arms') : undefined
  // and behind the arms the tries before the search
  const tries = find('ejection') === undefined ? [] : TRIES
  return [...names(bound), ...names(option)].map((name) => name.trim()).concat(tries)
}

/** Whether a name is one of those. */
export const isRotation = (name: string) => /^(lifetime|size|area)\b/.test(name)
