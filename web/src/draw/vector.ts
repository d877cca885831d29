/** A drawing as plain data: what a Recorder takes down, and what files of vector graphics are written from. Units are the canvas'. */
import type { Rect } from '../base/geom'

export type Segment =
  | readonly ['M' | 'L', number, number]
  | readonly ['C', number, number, number, number, number, number]
  | readonly ['Z']

export interface Stroke {
  colour: string
  width: number
  /** lengths of dashes and gaps in turn; empty: a whole line */
  dash: readonly number[]
}

export interface Font {
  family: 'mono' | 'sans'
  size: number
  weight: number
}

export interface RectShape {
  kind: 'rect'
  rect: Rect
  fill: string | null
  stroke: Stroke | null
  alpha: number
}
export interface PathShape {
  kind: 'path'
  path: readonly Segment[]
  fill: string | null
  stroke: Stroke | null
  alpha: number
}
export interface TextShape {
  kind: 'text'
  text: string
  x: number
  y: number
  font: Font
  colour: string
  align: 'left' | 'center' | 'right'
  /** a quarter turn against the clock, to be read from below upwards */
  turned: boolean
  alpha: number
}
/** Nothing of the shapes is seen outside of the rectangle. */
export interface ClipShape {
  kind: 'clip'
  rect: Rect
  shapes: Shape[]
}
export type Shape = RectShape | PathShape | TextShape | ClipShape

/** Advances of IBM Plex in shares of the size: that of Mono exactly, of Sans more than most texts need. */
const ADVANCE = { mono: 0.6, sans: 0.52 }
/** From here on scripts are as wide as they are high. */
const WIDE = 0x2e80

/** Width of a text, the same on every machine, whatever fonts it has. */
export function textWidth(text: string, font: Font): number {
  let width = 0
  for (const letter of text) width += (letter.codePointAt(0) ?? 0) >= WIDE ? 1 : ADVANCE[font.family]
  return width * font.size
}
