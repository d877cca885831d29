/**
 * The parts of a sentence as data: texts, and references that the Step tab underlines and that light what they speak of on the
 * canvas. And what a told step is.
 */
import type { Frame, Manifest, Problem, SearchEvent } from '../../../../wasm/client/types'
import { type ByteUnit, bytesIn, exactly } from '../../base/format'

export type Tone = 'plain' | 'now' | 'why' | 'order' | 'bound' | 'hatless' | 'learned' | 'ok'

export interface Lights {
  buffers: number[]
  section: number
}

export type Span =
  | { kind: 'text'; text: string }
  | { kind: 'buffer'; buffer: number; tone: Tone; lights: Lights }
  | { kind: 'bytes'; value: number; tone: Tone; lights: Lights; whole?: true }
  | { kind: 'section'; section: number; tone: Tone; lights: Lights }
  | { kind: 'count'; value: number; tone: Tone; lights: Lights }

/** floor + rest against capacity, in bytes: the small bar under the sentence. */
export interface Sum {
  floor: number
  rest: number
  capacity: number
}

export type Glyph = 'cross' | 'bars' | 'order' | 'cap' | 'diamond' | 'place' | 'back' | 'restart' | 'waste' | 'none'

export interface Told {
  /** one word for the chip, '' for none */
  chip: string
  /** the rule or the kind of decision, beside the chip */
  title: string
  tone: Tone
  glyph: Glyph
  spans: Span[]
  sum: Sum | null
  /** line of the pseudocode, 0: none */
  line: number
}

export interface Teller {
  problem: Problem
  manifest: Manifest
  /** what the search under way may not exceed, in bytes; null: it minimises, and its limit is not known at this step */
  capacity: number | null
  frame: Frame
  /** the run looks for the least height */
  minimising: boolean
  /** the name of an operator of the graph, by its row */
  operator: (row: number) => string
  /** of the preorder heuristics or of the portfolio, by arm */
  armName: (arm: number) => string
  /** the name of the arm that is under way at this step, '' if there is none */
  arm: string
}

export const NO_LIGHTS: Lights = { buffers: [], section: -1 }

export const isBuffer = (problem: Problem, index: number) => index >= 0 && index < problem.count

export function buffer(index: number, tone: Tone = 'plain'): Span {
  return { kind: 'buffer', buffer: index, tone, lights: { buffers: [index], section: -1 } }
}
export function bytes(value: number, tone: Tone = 'plain', lights: Lights = NO_LIGHTS): Span {
  return { kind: 'bytes', value, tone, lights }
}
/** A capacity, or a load that is held against it. */
export function wholeBytes(value: number, tone: Tone = 'plain', lights: Lights = NO_LIGHTS): Span {
  return { kind: 'bytes', value, tone, lights, whole: true }
}

/** Heights of plans and bounds have tones of their own: what was found or proved is not rounded either. */
export const amountOf = (span: Span & { kind: 'bytes' }, unit: ByteUnit): string =>
  (span.whole === true || span.tone === 'ok' || span.tone === 'bound' ? exactly : bytesIn)(span.value, unit)

export function section(index: number): Span {
  return { kind: 'section', section: index, tone: 'plain', lights: { buffers: [], section: index } }
}
export function count(value: number, buffers: number[] = [], tone: Tone = 'plain'): Span {
  return { kind: 'count', value, tone, lights: { buffers, section: -1 } }
}

/** say`Placing ${buffer(3)} here`: texts and spans in order. */
export function say(texts: TemplateStringsArray, ...parts: (Span | string)[]): Span[] {
  const spans: Span[] = []
  texts.forEach((text, k) => {
    if (text !== '') spans.push({ kind: 'text', text })
    const part = parts[k]
    if (part !== undefined && part !== '') spans.push(typeof part === 'string' ? { kind: 'text', text: part } : part)
  })
  return spans
}

export const plural = (n: number, one: string, many: string) => (n === 1 ? one : many)

export function told(event: SearchEvent | null, base: Partial<Told> & { spans: Span[] }): Told {
  return { chip: '', title: '', tone: 'plain', glyph: 'none', sum: null, line: event?.line ?? 0, ...base }
}

export const isSection = (problem: Problem, index: number) => index >= 0 && index < problem.sections.count

export function ruleOf(t: Teller, index: number): string {
  return t.manifest.rules[index]?.id ?? ''
}
