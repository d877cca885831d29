/** The canvas as a figure for a paper, a slide or a page: the painters of the screen, with a title, titles of the axes and a legend around. */
import { type Pause, inSlices, type Work } from '../../base/slices'
import { SANS } from '../../base/theme'
import { paintingData } from '../../draw/canvas/paint_buffers'
import { keepFree, paintOver } from '../../draw/canvas/paint_memory'
import { paintTags, STILL } from '../../draw/canvas/paint_step'
import { type Ctx, text } from '../../draw/primitives'
import { makePicture, type Picture } from '../../draw/canvas/picture'
import { Recorder } from '../../draw/recorder'
import { layoutTags } from '../../draw/canvas/tags'
import type { Shape } from '../../draw/vector'
import { findRects, type MemoryRects } from '../../layout/canvas/memory_rects'
import type { Scene, Viewport } from '../../layout/scene'
import { gutterLeft, gutterRight, Space, wholeViewport } from '../../layout/canvas/spaces'
import { indexInSlices } from '../../layout/canvas/time_index'
import { readStep } from '../../layout/step/witness'
import { type Item, legendItems } from './legend'
import { onOnePlate } from '../../layout/canvas/plates'

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
  shapes: readonly Shape[]
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
function sceneOf({ scene: shown, step }: FigureSpec): Scene {
  const scene = onOnePlate(shown)
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

/** All of a figure that costs something to find out, at whatever pixel ratio it is painted then, and as often as one likes. */
export interface FigurePlan {
  spec: FigureSpec
  picture: Picture
  rows: Item[][]
}

/** What makePicture takes for none at all. */
const NO_RECTS = -1

/** O(pieces log pieces). */
export function* planFigure(spec: FigureSpec): Work<FigurePlan> {
  const { size } = spec
  const scene = sceneOf(spec)
  const view = spec.view ?? wholeViewport(scene)
  const step = readStep(scene)
  const x = gutterLeft(size.width) + AXIS_ROOM
  const w = Math.max(1, size.width - x - gutterRight(size.width))
  const head = spec.title === '' ? 0 : TITLE_ROOM
  const made = (top: number, bottom: number): Picture => {
    const plate = { x, y: head + top, w, h: Math.max(1, size.height - head - top - bottom) }
    return { ...makePicture(scene, new Space(view, plate), step, 1, NO_RECTS), titleRoom: AXIS_ROOM }
  }
  const filled = function* (picture: Picture): Work<Picture> {
    return { ...picture, rects: yield* rectsOf(picture) }
  }
  const rows = spec.legend ? rowsOf(legendItems(made(TAG_ROOM, 0), spec.steady === true), w) : []
  const foot = TICKS_ROOM + AXIS_ROOM + 4 + rows.length * LEGEND_ROW
  const low = made(TAG_ROOM, foot)
  const high = made(TOP_ROOM, foot)
  // the strip above the plate is left away where no tag stands in it; where tags go depends on what they would hide
  const above = (p: Picture) => layoutTags(p).some((tag) => tag.rect.y < p.plate.y)
  if (!spec.steady && layoutTags(high).length === 0) return { spec, picture: yield* filled(high), rows }
  const lower = yield* filled(low)
  if (spec.steady || above(lower)) return { spec, picture: lower, rows }
  const higher = yield* filled(high)
  return { spec, picture: above(higher) ? lower : higher, rows }
}

/** Without holding up the page, whatever the number of buffers. null: it was given up. */
export async function planInSlices(spec: FigureSpec, pause: Pause): Promise<FigurePlan | null> {
  const { problem, frame } = spec.scene
  if (frame !== null && !(await indexInSlices(problem, pause))) return null
  return inSlices(planFigure(spec), pause)
}

/** Of the last figures of a frame: most of what is chosen for one leaves its rectangles where they are. */
const kept = new WeakMap<Float64Array, Map<string, MemoryRects>>()
const MOST_KEPT = 2

function* rectsOf({ scene, space }: Picture): Work<MemoryRects | null> {
  const { problem, frame } = scene
  if (frame === null) return null
  const { view, plate } = space
  const key = [problem.digest, view.t0, view.t1, view.b0, view.b1, plate.x, plate.y, plate.w, plate.h].join(' ')
  const known = kept.get(frame.offset) ?? new Map<string, MemoryRects>()
  const found =
    known.get(key) ?? (yield* findRects(problem, frame.offset, space, Number.POSITIVE_INFINITY, frame.stack))
  if (found === null) return null
  const [oldest] = known.keys()
  if (known.size >= MOST_KEPT && !known.has(key) && oldest !== undefined) known.delete(oldest)
  kept.set(frame.offset, known.set(key, found))
  return found
}

const TIME_AXIS = 'Time (logical steps)'

/** Where nothing is placed, what is alive is shown instead. */
function bytesAxis({ scene, unit }: Picture): string {
  return `${scene.frame === null ? 'Load' : 'Offset'} (${unit.name || 'bytes'})`
}

function paintAround(c: Ctx, { spec, picture, rows }: FigurePlan): void {
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

/** Paints the figure on anything: a canvas at a pixel ratio, or a recorder. O(rectangles). */
export function* paintFigure(c: Ctx, plan: FigurePlan, dpr: number): Work<void> {
  const { spec } = plan
  const picture = { ...plan.picture, dpr }
  c.fillStyle = picture.theme.well
  c.fillRect(0, 0, spec.size.width, spec.size.height)
  const tags = layoutTags(picture)
  yield* paintingData(c, picture, keepFree(picture, tags))
  paintOver(c, picture, STILL, -1)
  paintTags(c, picture, tags, STILL)
  paintAround(c, plan)
}

/** Positions of vectors are rounded to a hundredth of a unit. */
const FINE = 100

export function* drawFigure(plan: FigurePlan, description: string): Work<Figure> {
  const recorder = new Recorder()
  yield* paintFigure(recorder, plan, FINE)
  const { size, title } = plan.spec
  return { size, title, description, shapes: recorder.shapes }
}
