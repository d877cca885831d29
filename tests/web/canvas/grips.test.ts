/** What a drag on a buffer takes hold of, and where it comes to rest. */
import { describe, expect, it } from 'vitest'
import { type Box, boxOf, dragged, type Grip, gripAt, type Rests, restsOf } from '../../../web/src/layout/canvas/grips'
import { Space } from '../../../web/src/layout/canvas/spaces'
import { frameOf, problemOf, sceneOf } from '../support/layout_fixture'

/** 10 pixels a time step, 1 pixel a byte; address 0 at y = 400. */
const space = new Space({ t0: 0, t1: 40, b0: 0, b1: 400 }, { x: 0, y: 0, w: 400, h: 400 })
const box: Box = { lower: 4, upper: 14, size: 100, offset: 50 }
const none: Rests = { times: [], addresses: [], alignment: 1 }

describe('a grip', () => {
  it.each([
    [41, 300, 'lower'],
    [138, 300, 'upper'],
    [90, 252, 'size'],
    [90, 300, 'offset'],
    [30, 300, null],
    [90, 360, null],
  ] as const)('at %i, %i is %s', (x, y, grip) => {
    expect(gripAt(space, box, x, y, 7)).toBe(grip)
  })

  it('of something small leaves room for its middle, and is found a little beside it', () => {
    const small = { lower: 4, upper: 5, size: 8, offset: 50 }
    expect(gripAt(space, small, 45, 347, 22)).toBe('offset')
    expect(gripAt(space, small, 41, 347, 22)).toBe('lower')
    expect(gripAt(space, small, 30, 347, 22)).toBe(null)
    expect(gripAt(space, small, 30, 347, 22, 12)).toBe('lower')
  })
})

describe('a drag', () => {
  const drag = (grip: Grip, dx: number, dy: number, rests = none) => dragged(space, box, grip, dx, dy, rests)
  it('moves one thing, in whole steps and bytes', () => {
    expect(drag('lower', -17, 50)).toEqual({ ...box, lower: 2 })
    expect(drag('upper', 33, 50)).toEqual({ ...box, upper: 17 })
    expect(drag('size', 9, -20)).toEqual({ ...box, size: 120 })
    expect(drag('offset', 9, -20)).toEqual({ ...box, offset: 70 })
  })

  it('keeps a lifespan, a size and an offset', () => {
    expect(drag('lower', 500, 0).lower).toBe(13)
    expect(drag('upper', -500, 0).upper).toBe(5)
    expect(drag('size', 0, 500).size).toBe(1)
    expect(drag('offset', 0, 500).offset).toBe(0)
  })

  it('rests at borders of sections, ends of neighbours and multiples of the alignment', () => {
    const rests = { times: [0, 8.5, 20], addresses: [0, 177, 300, 400], alignment: 1 }
    expect(drag('upper', 56, 0, rests).upper).toBe(20)
    expect(drag('upper', 50, 0, rests).upper).toBe(19)
    expect(drag('size', 0, -24, rests).size).toBe(127)
    expect(drag('offset', 0, -124, rests).offset).toBe(177)
    expect(drag('offset', 0, -153, rests).offset).toBe(200)
    expect(drag('offset', 0, -124, { ...rests, alignment: 64 }).offset).toBe(192)
    for (let dy = -300; dy <= 300; dy += 7)
      expect(drag('offset', 0, dy, { ...rests, alignment: 48 }).offset % 48).toBe(0)
  })

  it('is in steps that can be seen where a pixel is many bytes', () => {
    const far = new Space({ t0: 0, t1: 40, b0: 0, b1: 400_000 }, { x: 0, y: 0, w: 400, h: 400 })
    const size = dragged(far, { ...box, size: 100_000 }, 'size', 0, -33, none).size
    expect(size % 2048).toBe(0)
    expect(Math.abs(size - 133_000)).toBeLessThan(2048)
  })
})

describe('what a drag knows of a scene', () => {
  const problem = problemOf([
    [0, 4, 10],
    [2, 6, 20],
    [6, 9, 30],
  ])
  const scene = sceneOf(problem, 64, frameOf([0, 10, -1]))
  it('is where the buffers that live then lie', () => {
    expect(boxOf(scene, 1)).toEqual({ lower: 2, upper: 6, size: 20, offset: 10 })
    expect([boxOf(scene, 2), boxOf(scene, -1), boxOf(scene, 9)]).toEqual([null, null, null])
    const { times, addresses } = restsOf(scene, 1)
    expect(Array.from(times)).toEqual([0, 2, 4, 6, 9])
    expect([...addresses].sort((x, y) => x - y)).toEqual([0, 0, 10, 64])
  })
})
