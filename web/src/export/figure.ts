/** The canvas as a figure for a paper, a slide or a page: the painters of the screen, with a title, titles of the axes and a legend around. */
import { SANS } from '../base/theme'
import { paintData } from '../draw/paint_buffers'
import { keepFree, paintOver } from '../draw/paint_memory'
import { paintTags, STILL } from '../draw/paint_step'
import { type Ctx, text } from '../draw/marks'
import { makePicture, type Picture } from '../draw/picture'
import { Recorder } from '../draw/recorder'
import { layoutTags } from '../draw/tags'
import type { Mark } from '../draw/vector'
import type { Scene, Viewport } from '../layout/scene'
import { gutterLeft, gutterRight, Space, wholeViewport } from '../layout/spaces'
import { readStep } from '../layout/witness'
import { type Item, legendItems } from './legend'

/** Millimetres of a figure's unit where letters of 11 units are to be 7.5 pt, as captions and axes are in papers. */
const PAPER_UNIT = ((7.5 / 72) * 25.4) / 11
const SCREEN_UNIT = 25.4 / 96

/** A size to be drawn at, in canvas units, and what a unit is on paper. */
export interface FigureSize {
  width: number
  height: number
  /** millimetres of a unit */
  unit: number
}

export type Preset = 'single' | 'double' | 'slide' | 'screen'

/** screen: the canvas as it is. */
export function sizeOf(preset: Preset, screen: { width: number; height: number }): FigureSize {
  const paper = (mm: number, share: number): FigureSize => {
    const width = Math.round(mm / PAPER_UNIT)
    return { width, height: Math.round(width * share), unit: mm / width }
  }
  switch (preset) {
    case 'single':
      return paper(88, 0.72)
    case 'double':
      return paper(180, 0.46)
    case 'slide':
      return { width: 960, height: 540, unit: 338.7 / 960 }
    case 'screen':
      return { width: Math.max(320, screen.width), height: Math.max(240, screen.height), unit: SCREEN_UNIT }
  }
}

export interface FigureSpec {
  scene: Scene
  size: FigureSize
  /** null: everything */
  view: Viewport | null
  /** '': none */
  title: string
  /** what the step tries, undoes and proves; without it only what is placed */
  step: boolean
  legend: boolean
  /** one of many in a row: nothing moves from one to the next but what is placed */
  steady?: boolean
}

/** A figure as plain data, for all writers of vector graphics. */
export interface Figure {
  size: FigureSize
  title: string
  description: string
  /** in order, the first lies lowest */
  marks: readonly Mark[]
}

const TITLE_FONT = `600 14px ${SANS}`
const AXIS_FONT = `500 11.5px ${SANS}`
const TITLE_ROOM = 26
/** Strip above the plate in which tags of a step may stand, and without them. */
const TAG_ROOM = 30
const TOP_ROOM = 12
const AXIS_ROOM = 18
/** Under the plate: ticks with their labels, then the title of the axis. */
const TICKS_ROOM = 24
const LEGEND_ROW = 18

const NOTHING_LIT = { buffers: [], section: -1, inputs: [] }

/** What is drawn of the scene: nothing that is only pointed at, and without the step only what is placed. */
function sceneOf({ scene, step }: FigureSpec): Scene {
  const still = { ...scene, lit: NOTHING_LIT, calm: true, reducedMotion: true }
  if (step || scene.frame === null) return still
  return { ...still, now: [], frame: { ...scene.frame, undone: [] }, pinned: -1 }
}

/** Rows of the legend: as many items in each as fit its width. */
function rowsOf(items: Item[], width: number): Item[][] {
  const rows: Item[][] = []
  let left = 0
  for (const item of items) {
    const row = rows.at(-1)
    if (row === undefined || left + item.width > width) {
      rows.push([item])
      left = item.width + GAP
    } else {
      row.push(item)
      left += item.width + GAP
    }
  }
  return rows
}
const GAP = 18

interface Plan {
  picture: Picture
  rows: Item[][]
}

function planOf(spec: FigureSpec, dpr: number): Plan {
  const { size } = spec
  const scene = sceneOf(spec)
  const view = spec.view ?? wholeViewport(scene)
  const step = readStep(scene)
  const x = gutterLeft(size.width) + AXIS_ROOM
  const w = Math.max(1, size.width - x - gutterRight(size.width))
  const head = spec.title === '' ? 0 : TITLE_ROOM
  const made = (top: number, bottom: number): Picture => {
    const plate = { x, y: head + top, w, h: Math.max(1, size.height - head - top - bottom) }
    return { ...makePicture(scene, new Space(view, plate), step, dpr, Number.POSITIVE_INFINITY), titleRoom: AXIS_ROOM }
  }
  const rows = spec.legend ? rowsOf(legendItems(made(TAG_ROOM, 0), spec.steady === true), w) : []
  const foot = TICKS_ROOM + AXIS_ROOM + 4 + rows.length * LEGEND_ROW
  const low = made(TAG_ROOM, foot)
  const high = made(TOP_ROOM, foot)
  // the strip above the plate is left away where no tag stands in it
  const above = (p: Picture) => layoutTags(p).some((tag) => tag.rect.y < p.plate.y)
  return { picture: spec.steady || above(low) || above(high) ? low : high, rows }
}

const TIME_AXIS = 'Time (logical steps)'

/** Where nothing is placed, what is alive is shown instead. */
function bytesAxis({ scene, unit }: Picture): string {
  return `${scene.frame === null ? 'Load' : 'Offset'} (${unit.name || 'bytes'})`
}

function paintAround(c: Ctx, spec: FigureSpec, { picture, rows }: Plan): void {
  const { plate, theme } = picture
  const middle = plate.x + plate.w / 2
  if (spec.title !== '') text(c, spec.title, plate.x, 18, TITLE_FONT, theme.text1)
  const axis = plate.y + plate.h + TICKS_ROOM + 11
  text(c, TIME_AXIS, middle, axis, AXIS_FONT, theme.text2, 'center')
  c.save()
  c.translate(14, plate.y + plate.h / 2)
  c.rotate(-Math.PI / 2)
  text(c, bytesAxis(picture), 0, 0, AXIS_FONT, theme.text2, 'center')
  c.restore()
  rows.forEach((row, k) => {
    const y = axis + 7 + LEGEND_ROW * (k + 0.5)
    let x = plate.x
    for (const item of row) {
      item.paint(c, x, y)
      x += item.width + GAP
    }
  })
}

/** Paints the figure on anything: a canvas at a pixel ratio, or a recorder. O(pieces). */
export function paintFigure(c: Ctx, spec: FigureSpec, dpr: number): void {
  const plan = planOf(spec, dpr)
  const { picture } = plan
  c.fillStyle = picture.theme.well
  c.fillRect(0, 0, spec.size.width, spec.size.height)
  const tags = layoutTags(picture)
  paintData(c, picture, keepFree(picture, tags))
  paintOver(c, picture, STILL, -1)
  paintTags(c, picture, tags, STILL)
  paintAround(c, spec, plan)
}

/** Positions of vectors are rounded to a hundredth of a unit. */
const FINE = 100

export function figureOf(spec: FigureSpec, description: string): Figure {
  const recorder = new Recorder()
  paintFigure(recorder, spec, FINE)
  return { size: spec.size, title: spec.title, description, marks: recorder.marks }
}
