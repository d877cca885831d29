/** The second row of the seismograph: every step of a window around the cursor as a glyph at the level it worked on. */
import type { Frame, Manifest, SearchEvent } from '../../../wasm/client/types'
import { type Fate, fateOf, MINOR } from './fate'

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
  const glyphs: LocalGlyph[] = []
  for (const event of frame.events) {
    const glyph = manifest.events[event.kind]?.step ? glyphOf(event, manifest) : null
    if (glyph) glyphs.push(glyph)
  }
  return glyphs
}

function glyphOf(event: SearchEvent, manifest: Manifest): LocalGlyph {
  const base = {
    step: event.step,
    fate: 'other' as Fate,
    level: event.depth,
    to: event.depth,
    major: false,
    stuck: false,
  }
  switch (event.id) {
    case 'place':
    case 'new-slot':
      return { ...base, kind: 'place' }
    case 'reject':
    case 'skip': {
      const rule = manifest.rules[event.args[2]]?.id ?? ''
      const kind = rule === MINOR ? 'minor' : 'reject'
      return { ...base, kind, fate: fateOf(rule), level: event.depth + 1, to: event.depth + 1 }
    }
    case 'no-fit':
      return { ...base, kind: 'reject', fate: 'bound', level: event.depth + 1, to: event.depth + 1 }
    case 'swap': {
      const kept = event.args[4] >= 2 && event.args[4] <= 4
      return { ...base, kind: kept ? 'place' : 'minor', fate: 'bound' }
    }
    case 'eject':
      return { ...base, kind: 'backtrack', level: event.depth - 1 + event.args[2], major: event.args[2] > 1 }
    case 'backtrack':
      return {
        ...base,
        kind: 'backtrack',
        level: event.args[0],
        to: event.args[1],
        major: event.args[3] !== 0,
        stuck: event.args[4] !== 0,
      }
    case 'waste':
      return { ...base, kind: 'waste', level: event.depth + 1, to: event.depth + 1 }
    case 'restart':
    case 'probe':
      return { ...base, kind: 'restart', level: 0, to: 0 }
  }
  return { ...base, kind: 'tick' }
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
