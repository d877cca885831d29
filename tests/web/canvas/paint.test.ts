/** What the painters put on the canvas, taken down as data. */
import { expect, test } from 'vitest'
import type { Shape, RectShape } from '../../../web/src/draw/vector'
import { paintData } from '../../../web/src/draw/canvas/paint_buffers'
import { paintPointed, paintRulers } from '../../../web/src/draw/canvas/paint_frame'
import { paintProof, STILL } from '../../../web/src/draw/canvas/paint_step'
import { makePicture } from '../../../web/src/draw/canvas/picture'
import { capacityLabel, layoutTags } from '../../../web/src/draw/canvas/tags'
import { overlaps } from '../../../web/src/base/geom'
import { Recorder } from '../../../web/src/draw/recorder'
import { Space } from '../../../web/src/layout/canvas/spaces'
import { readStep } from '../../../web/src/layout/step/witness'
import { paintRestartsAndPlans, type TracePlate } from '../../../web/src/draw/search/paint_trace'
import { tokens } from '../../../web/src/base/theme'
import type { SearchScene } from '../../../web/src/layout/scene'
import { manifest } from '../support/fake'
import { eventOf, frameOf, overviewOf, problemOf, type Row, sceneOf } from '../support/layout_fixture'

const flat = (shapes: readonly Shape[]): Shape[] =>
  shapes.flatMap((shape) => (shape.kind === 'clip' ? flat(shape.shapes) : shape))

/** The shades and the lines that so many lit buffers come to, of which none is placed: half of them live 0..10, the others 30..40. */
function waiting(count: number): { shades: RectShape['rect'][]; lines: number } {
  const rows = Array.from({ length: count }, (_, k): Row => (k % 2 === 0 ? [0, 10, 1] : [30, 40, 1]))
  const frame = frameOf(rows.map(() => -1))
  const scene = sceneOf(problemOf(rows), 100, frame)
  scene.lit.buffers = rows.map((_, k) => k)
  const space = new Space({ t0: 0, t1: 40, b0: 0, b1: 100 }, { x: 0, y: 0, w: 400, h: 100 })
  const recorder = new Recorder()
  paintPointed(recorder, makePicture(scene, space, readStep(scene), 1), -1)
  const shapes = flat(recorder.shapes)
  const shades = shapes.flatMap((shape) => (shape.kind === 'rect' && shape.alpha < 1 ? [shape.rect] : []))
  return { shades, lines: shapes.length - shades.length }
}

test('a name that has no room in its rectangle is shortened to its last parts, and left out where little would be left', () => {
  const rows: Row[] = [
    [0, 30, 40],
    [30, 40, 40],
  ]
  const problem = {
    ...problemOf(rows),
    ids: rows.map((_, k) => `model_1/streaming/encoder/block_0${k}/query/MatMul:0`),
  }
  const scene = sceneOf(problem, 100, frameOf([0, 0]))
  const space = new Space({ t0: 0, t1: 40, b0: 0, b1: 100 }, { x: 0, y: 0, w: 240, h: 100 })
  const recorder = new Recorder()
  paintData(recorder, makePicture(scene, space, readStep(scene), 1), [])
  const names = flat(recorder.shapes).flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))
  expect(names.filter((text) => text.includes('/') || text.includes('Mat'))).toEqual(['…/query/MatMul:0'])
})

test.each([2, 60, 5000])('%i buffers that wait are shaded once wherever any of them lives', (count) => {
  expect(waiting(count).shades).toEqual([
    { x: 0, y: 0, w: 100, h: 100 },
    { x: 300, y: 0, w: 100, h: 100 },
  ])
})

test('each has its bracket, unless they are more than could be told apart', () => {
  expect(waiting(60).lines).toBe(60)
  expect(waiting(5000).lines).toBe(0)
})

test('what a step took back is outlined exactly where it lay, with its name, and slides out of there', () => {
  const problem = problemOf([
    [0, 20, 40],
    [20, 40, 40],
  ])
  const frame = { ...frameOf([0, -1]), undone: [{ buffer: 1, offset: 20 }] }
  const scene = sceneOf(problem, 100, frame)
  const space = new Space({ t0: 0, t1: 40, b0: 0, b1: 100 }, { x: 0, y: 0, w: 400, h: 100 })
  const marksAt = (lift: number) => {
    const recorder = new Recorder()
    paintProof(recorder, makePicture(scene, space, readStep(scene), 1), { ...STILL, lift })
    return flat(recorder.shapes)
  }
  const rest = marksAt(1)
  const lay = { x: 200, y: 40, w: 200, h: 40 }
  const outline = { x: 200.5, y: 40.5, w: 199, h: 39 }
  expect(rest.flatMap((shape) => (shape.kind === 'rect' ? [shape.rect] : []))).toEqual([lay, outline])
  expect(rest.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))).toEqual([problem.ids.at(1)])
  const half = marksAt(0.5).flatMap((shape) => (shape.kind === 'rect' ? [shape.rect] : []))
  expect(half).toEqual([lay, { ...lay, x: 224 }, outline])
})

test('whom a backtrack blames is filled, and by a step that takes nothing back only outlined', () => {
  const problem = problemOf([
    [0, 20, 40],
    [20, 40, 40],
  ])
  const now = [eventOf(1, 'culprits', { buffer: -1, least: 0, most: 0 }, 1, [0])]
  const fills = (undone: { buffer: number; offset: number }[]) => {
    const scene = sceneOf(problem, 100, { ...frameOf([0, -1]), undone }, now)
    const space = new Space({ t0: 0, t1: 40, b0: 0, b1: 100 }, { x: 0, y: 0, w: 400, h: 100 })
    const recorder = new Recorder()
    paintProof(recorder, makePicture(scene, space, readStep(scene), 1), STILL)
    const { why } = tokens.dark
    return flat(recorder.shapes).flatMap((shape) =>
      shape.kind === 'rect' && shape.fill === why && shape.rect.w === 200 && shape.rect.x === 0 ? [shape.rect] : [],
    )
  }
  expect(fills([{ buffer: 1, offset: 20 }])).toEqual([{ x: 0, y: 60, w: 200, h: 40 }])
  expect(fills([])).toEqual([])
})

test('a plan is ticked, but none that lies above the capacity', () => {
  const overview = overviewOf(1, [[1, 1, 1]], [{ step: 1, kind: 'incumbent', value: 40 }])
  const plate: TracePlate = { x: 0, w: 100, most: 1, top: 10, zero: 50, below: 53, end: 90, axis: 1, dpr: 1 }
  const ticks = (over: boolean) => {
    const scene = { overview, manifest, over, armName: () => '' } as unknown as SearchScene
    const recorder = new Recorder()
    paintRestartsAndPlans(recorder, plate, scene, tokens.dark, true)
    return JSON.stringify(flat(recorder.shapes)).split(tokens.dark.ok).length - 1
  }
  expect([ticks(false), ticks(true)]).toEqual([1, 0])
})

/** As on a phone: a low plate behind a narrow gutter, all of it full to the capacity, which is an odd number of KiB. */
function onPhone(capacity: number) {
  const scene = sceneOf(problemOf([[0, 40, capacity]]), capacity, frameOf([0]))
  const space = new Space({ t0: 0, t1: 40, b0: 0, b1: capacity * 1.085 }, { x: 44, y: 30, w: 336, h: 120 })
  const step = { ...readStep(scene), incumbent: capacity, candidate: { buffer: 0, offset: 1_121_382 } }
  return makePicture(scene, space, step as ReturnType<typeof readStep>, 1)
}

test('where the capacity is told under its line, the plan’s height stands beside it', () => {
  const p = onPhone(1_130_012)
  const label = capacityLabel(p)
  expect(label.y).toBeGreaterThan(p.space.y(1_130_012))
  const plan = layoutTags(p).find(({ text }) => text.startsWith('plan'))
  expect(plan && overlaps(plan.rect, label)).toBe(false)
})

test('an address that is too long for the gutter is told without its decimal', () => {
  const recorder = new Recorder()
  paintRulers(recorder, onPhone(1_130_012))
  const told = flat(recorder.shapes).flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))
  expect(told).toContain('1095')
  expect(told.join()).not.toContain('1095.')
})
