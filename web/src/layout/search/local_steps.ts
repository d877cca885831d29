/** The second row of the seismograph: every step of a window around the cursor as a glyph at the level it worked on. */
import { EFFECTS, spotOf, type Effect, isStep, type StepEvent } from '../../../../wasm/client/events'
import type { Frame, Manifest } from '../../../../wasm/client/types'
import { type Fate, fateOf, MINOR } from '../step/fate'

/** Steps in the window, and how many of them lie at or before the cursor. */
export const LOCAL_STEPS = 84
export const LOCAL_BEFORE = 67

export interface LocalGlyph {
  step: number
  kind: 'place' | 'reject' | 'minor' | 'backtrack' | 'restart' | 'waste' | 'tick'
  fate: Fate
  /** level it worked on: a placement's own, the one tried for a rejection, the one left for a backtrack */
  level: number
  /** backtrack: level arrived at; else = level */
  to: number
  major: boolean
  /** backtrack: not for want of candidates, but because the subtree took too many */
  stuck: boolean
}

/** First step of the window shown for a cursor; the window holds 84 columns even if the search is shorter. */
export function localFirst(cursor: number, steps: number): number {
  return Math.max(1, Math.min(cursor - LOCAL_BEFORE + 1, steps - LOCAL_STEPS + 1))
}

/** Glyphs of the frame's events that are steps, in order. O(events). */
export function localGlyphs(frame: Frame, manifest: Manifest): LocalGlyph[] {
  return frame.events.filter(isStep).map((event) => glyphOf(event, manifest))
}

const BY_EFFECT: Record<Effect, LocalGlyph['kind']> = {
  opens: 'place',
  discards: 'reject',
  idles: 'waste',
  returns: 'backtrack',
  rebuilds: 'place',
  begins: 'restart',
  stays: 'tick',
}

/** By what the step does to the path, unless its kind has something of its own to say. */
function glyphOf(event: StepEvent, manifest: Manifest): LocalGlyph {
  const effect = EFFECTS[event.kind]
  const tried = effect === 'idles' || spotOf(event)?.role === 'tries'
  const level = effect === 'begins' ? 0 : tried ? event.depth + 1 : event.depth
  const base: LocalGlyph = {
    step: event.step,
    kind: BY_EFFECT[effect],
    fate: 'other',
    level,
    to: level,
    major: false,
    stuck: false,
  }
  switch (event.kind) {
    case 'reject':
    case 'skip': {
      const rule = manifest.rules[event.rule]?.id ?? ''
      return { ...base, kind: rule === MINOR ? 'minor' : 'reject', fate: fateOf(rule) }
    }
    case 'no-fit':
    case 'collide':
      return { ...base, kind: 'reject', fate: 'bound' }
    case 'new-slot':
      return { ...base, kind: 'place' }
    case 'swap':
      return { ...base, fate: 'bound' }
    case 'swap-back':
      return { ...base, kind: 'minor', fate: 'bound' }
    case 'eject':
      return { ...base, kind: 'backtrack', level: event.depth - 1 + event.count }
    case 'backtrack':
      return { ...base, level: event.from, to: event.to, major: event.major, stuck: event.stuck }
    default:
      return base
  }
}

export interface LevelScale {
  /** highest and lowest level shown */
  top: number
  low: number
  /** levels that get a line and a label, highest first */
  rows: number[]
}

/**
 * Levels of the window: one row each while they fit (at least `least` px apart), else rows at even distances. Keeps at least four
 * rows, so that a quiet window does not fill the strip with one line.
 */
export function levelScale(glyphs: LocalGlyph[], depth: number, height: number, least = 12): LevelScale {
  let top = Math.max(1, depth)
  let low = Math.max(0, depth)
  for (const glyph of glyphs) {
    top = Math.max(top, glyph.level, glyph.to)
    low = Math.min(low, glyph.level, glyph.to)
  }
  low = Math.max(0, Math.min(low, top - 3))
  const most = Math.max(2, Math.floor(height / least) + 1)
  const span = top - low
  const stride = Math.max(1, Math.ceil(span / (most - 1)))
  const rows: number[] = []
  for (let level = top; level >= low; level -= stride) rows.push(level)
  return { top, low, rows }
}
