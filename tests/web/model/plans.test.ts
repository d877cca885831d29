/** What a plan leaves unused, plans that came with a file, charts over time, layers of a graph, plans as C. */
import { describe, expect, it } from 'vitest'
import { cHeader as writeHeader, identifier } from '../../../web/src/export/c_header'
import { layered } from '../../../web/src/layout/model/layered'
import { columnMaxima, stepPath } from '../../../web/src/layout/model/step_path'
import { fragmentsOf } from '../../../web/src/state/model/fragments'
import { givenPlan } from '../../../web/src/state/model/given_plan'
import { operatorsOf } from '../../../web/src/state/model/operators'
import { planFrame } from '../../../web/src/state/solver/plan_frame'
import { smallModel, smallProblem } from '../support/model_fixture'

const cHeader = (...args: Parameters<typeof writeHeader>) => [...writeHeader(...args)].join('')
const problem = smallProblem()
const offsets = (...at: number[]) => Float64Array.from(at)
/** in 400, a 0, b 800, c 400, out 0, workspace 100 */
const PLAN = offsets(400, 0, 800, 400, 0, 100)

describe('a plan as a frame', () => {
  it('has what is placed by offset, ties by number, whatever the size of the offsets', () => {
    const many = Array.from({ length: 5000 }, (_, k) => ((k * 7919) % 641) * 2 ** (k % 45) - (k % 9 === 0 ? 1e16 : 0))
    for (const at of [[], [-1], [0, -1, 0], [3, -1, 3, 2 ** 32, 2 ** 32 - 1, 2 ** 52, 0, 2 ** 40 + 1, 2 ** 40], many]) {
      const placed = at.map((_, k) => k).filter((k) => (at[k] ?? -1) >= 0)
      const expected = placed.sort((x, y) => (at[x] ?? 0) - (at[y] ?? 0) || x - y)
      const frame = planFrame(offsets(...at), 0, null)
      expect([...frame.stack]).toEqual(expected)
      expect(frame.depth).toBe(expected.length)
      expect([...frame.level]).toEqual(at.map((_, k) => expected.indexOf(k) + 1))
    }
  })
})

describe('fragmentation', () => {
  it('measures the top and the largest free block in each section', () => {
    const found = fragmentsOf(problem, PLAN, 1000)
    expect([...(found?.top ?? [])]).toEqual([500, 1000, 1000, 800, 800])
    // [500,1000) · [400,800) · none · [0,400) · [164,400)
    expect([...(found?.largest ?? [])]).toEqual([500, 400, 0, 400, 236])
    // unused under the top: 0, 400, 0, 400, 326; of equals the first
    expect(found?.worst).toBe(1)
  })

  it('counts no free block above the capacity', () => {
    const high = offsets(400, 0, 2000, 400, 0, 100)
    const found = fragmentsOf(problem, high, 1000)
    expect(found?.largest[1]).toBe(600)
    expect(found?.top[1]).toBe(2200)
  })

  it('says nothing of a plan that leaves something out', () => {
    expect(fragmentsOf(problem, offsets(0, 0, -1, 0, 0, 0), 1000)).toBeNull()
  })
})

describe('a plan that came with the file', () => {
  const all = operatorsOf(smallModel(), problem)

  it('is taken over from tensors to the buffers that hold them', () => {
    // in, w, a, b, c, flat, out
    const plan = givenPlan(problem, all, [400, 7, 0, 800, null, 400, 0])
    expect([...plan.offset]).toEqual([400, 0, 800, 400, 0, -1])
    expect(plan).toMatchObject({ placed: 5, height: 1000, clash: null })
  })

  it('names two that share addresses while both are alive', () => {
    expect(givenPlan(problem, null, [null, 0, 399, null, null, null]).clash).toEqual([1, 2])
    expect(givenPlan(problem, null, [null, 0, 400, null, 0, null]).clash).toBeNull()
  })
})

describe('charts', () => {
  const steps = { count: 3, lower: [0, 10, 90], upper: [10, 90, 100] }
  const box = { t0: 0, t1: 100, top: 8, width: 10, height: 80 }

  it('keeps every peak, however short', () => {
    const short = { count: 3, lower: [0, 55, 56], upper: [55, 56, 100] }
    expect([...columnMaxima(short, [1, 8, 2], box)]).toEqual([1, 1, 1, 1, 1, 8, 2, 2, 2, 2])
  })

  it('draws steps with corners only where they change', () => {
    expect(stepPath(steps, [4, 8, 0], box, false)).toBe('M0 40H1V0H9V80H10')
    expect(stepPath(steps, [4, 8, 0], box, true)).toBe('M0 80V40H1V0H9V80H10V80Z')
  })
})

describe('layers', () => {
  it('puts every operator below what it reads, and edges from one to the other', () => {
    const edges: [number, number][] = [
      [0, 1],
      [0, 2],
      [1, 3],
      [2, 3],
      [0, 3],
    ]
    const found = layered({ width: [60, 60, 60, 60], height: 22, edges })
    for (const [from, to] of edges) expect(found.y[to]).toBeGreaterThan((found.y[from] ?? 0) + 22)
    expect(Math.abs((found.x[1] ?? 0) - (found.x[2] ?? 0))).toBeGreaterThanOrEqual(60)
    found.paths.forEach((path, k) => {
      const [from, to] = edges[k] ?? [0, 0]
      expect(path.length).toBeGreaterThanOrEqual(4)
      // from the edge of the one to the edge of the other
      expect(Math.abs((path[0] ?? 0) - (found.x[from] ?? 0))).toBeLessThanOrEqual(30.001)
      expect(Math.abs((path[1] ?? 0) - (found.y[from] ?? 0))).toBeLessThanOrEqual(11.001)
      expect(Math.abs((path.at(-2) ?? 0) - (found.x[to] ?? 0))).toBeLessThanOrEqual(30.001)
      expect(Math.abs((path.at(-1) ?? 0) - (found.y[to] ?? 0))).toBeLessThanOrEqual(11.001)
    })
  })

  it('takes a graph without edges', () => {
    const found = layered({ width: [44, 44], height: 22, edges: [] })
    expect(found.x[0]).not.toBe(found.x[1])
  })
})

describe('a plan as a C header', () => {
  it('has the size, an index for each buffer and the offsets in their order', () => {
    const text = cHeader(problem, PLAN, 'My net.v2')
    expect(text).toContain('#define MY_NET_V2_ARENA_BYTES 1000ul')
    expect(text).toContain('  MY_NET_V2_BUFFER_FC_WORKSPACE = 5,')
    expect(text).toContain(
      'static const uint32_t my_net_v2_offset[6] = {\n  400ul, /* in: 100 bytes */\n  0ul, /* a: 400',
    )
  })

  it('lets no id end its comment or take the name of another', () => {
    const ids = ['x*/ int y; /*', 'a b', 'a_b', '0', 'é', 'out']
    const text = cHeader({ ...problem, ids }, PLAN, '')
    expect(text.match(/\*\//g)?.length).toBe(7)
    expect(text).toContain('  PLAN_BUFFER_A_B = 1,\n  PLAN_BUFFER_A_B_2 = 2,\n  PLAN_BUFFER_T0 = 3,\n')
    expect(identifier('')).toBe('plan')
    const taken = cHeader({ ...problem, ids: ['a_2', 'a', 'A', 'b', 'c', 'd'] }, PLAN, '')
    expect(taken).toContain('  PLAN_BUFFER_A_2 = 0,\n  PLAN_BUFFER_A = 1,\n  PLAN_BUFFER_A_2_2 = 2,\n')
  })

  it('takes no name of many for another', () => {
    const count = 200_000
    const ids = Array.from({ length: count }, (_, k) => (k % 2 === 0 ? `b${k}` : `layer${k % 97}/op.${k}`))
    const { size } = problem
    const many = {
      ...problem,
      count,
      ids,
      size: new Float64Array(count).fill(size[0] ?? 1),
      alignment: new Float64Array(count).fill(1),
    }
    const names = [...cHeader(many, new Float64Array(count), '').matchAll(/^ {2}(PLAN_BUFFER_\w+) = (\d+),$/gm)]
    expect(names.map(([, name]) => name)).toEqual(ids.map((id) => `PLAN_BUFFER_${identifier(id).toUpperCase()}`))
  })

  it('takes the wider type for what needs it', () => {
    expect(cHeader(problem, offsets(0, 0, 0, 0, 0, 2 ** 33), 'n')).toContain('static const uint64_t n_offset[6]')
  })
})
