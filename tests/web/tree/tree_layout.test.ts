/** Where the tree puts things, and what a step's subtree holds: against crafted paths, and against the core's own searches. */
import { describe, expect, it } from 'vitest'
import type { Core } from '../../../wasm/client/core'
import { EFFECTS, type SearchEvent } from '../../../wasm/client/events'
import type { Attempt, TreePath } from '../../../wasm/client/types'
import { fateOf } from '../../../web/src/layout/step/fate'
import type { Branch } from '../../../web/src/layout/scene'
import { layTree, type TreeMark, treeMarkAt, neighbour, type TreeInput } from '../../../web/src/layout/tree/tree'
import { cited, headed } from '../../../web/src/state/solver/rules'
import { branchesAbove, condensed } from '../../../web/src/state/tree/subtree'
import { fateWords } from '../../../web/src/state/tree/tell_tree'
import { config, makeCore, random, rulesOff } from '../../wasm/support'
import { manifest } from '../support/fake'
import { ruleIndex } from '../support/rules'

const rejected = (step: number, buffer: number, rule = 'section'): Attempt => ({
  step,
  end: step,
  kind: 'reject',
  buffer,
  offset: 8,
  count: 1,
  rule: ruleIndex(rule),
})
const undone = (step: number, end: number, buffer: number): Attempt => ({
  step,
  end,
  kind: 'place',
  buffer,
  offset: 0,
  count: 1,
  rule: 0,
})
const node = (step: number, attempts: Attempt[] = [], rest: { more?: number; whole?: boolean } = {}) => ({
  step,
  attempts,
  more: 0,
  whole: true,
  ...rest,
})

function input(nodes: TreePath['nodes'], rest: Partial<TreePath> = {}, more: Partial<TreeInput> = {}): TreeInput {
  const top = rest.top ?? 0
  const depth = top + nodes.length - 1
  const path: TreePath = { step: 20, depth, top, nodes, tried: 1, candidates: 4, whole: true, from: 0, ...rest }
  return {
    path,
    stack: Uint32Array.from({ length: depth }, (_, k) => k),
    tried: new Uint32Array(depth).fill(1),
    candidates: new Uint32Array(depth).fill(3),
    manifest,
    count: depth + 9,
    name: (buffer) => `b${buffer}`,
    unfolded: new Set(),
    subtrees: new Map(),
    width: 500,
    ...more,
  }
}

const of = (marks: TreeMark[], kind: TreeMark['kind']) => marks.filter((mark) => mark.kind === kind)

describe('the tree', () => {
  it('has the path from the start down, what was tried to its left in order of step, what is open to its right', () => {
    const layout = layTree(
      input([node(0), node(3, [rejected(4, 5), undone(5, 9, 6), rejected(10, 7)]), node(12, [rejected(20, 8)])]),
    )
    const { marks } = layout
    const trunk = marks.filter((mark) => mark.path)
    expect(trunk.map((mark) => [mark.kind, mark.level, mark.buffer, mark.step])).toEqual([
      ['root', 0, -1, 0],
      ['node', 1, 0, 3],
      ['node', 2, 1, 12],
    ])
    expect(trunk.map((mark) => mark.y)).toEqual([...trunk.map((mark) => mark.y)].sort((a, b) => a - b))
    const beside = of(marks, 'tried').filter((mark) => mark.level === 2)
    expect([...beside].sort((a, b) => a.x - b.x).map((mark) => mark.step)).toEqual([4, 5, 10])
    expect(beside.map((mark) => mark.fate).filter((fate) => fate === 'bound')).toHaveLength(2)
    const path = trunk[2] as TreeMark
    expect(beside.every((mark) => mark.x < path.x && mark.y < path.y)).toBe(true)
    expect(of(marks, 'open').every((mark) => mark.x > (trunk[1] as TreeMark).x - 30)).toBe(true)
    expect(of(marks, 'open').filter((mark) => mark.level === 3)).toHaveLength(3)
    expect(layout.labels.map((label) => [label.level, label.tried])).toEqual([
      ['level 1', '1 of 3 tried'],
      ['level 2', '1 of 3 tried'],
      ['level 3', '1 of 4 tried'],
    ])
  })

  it('shows what the step is about in one place: written out, and only once', () => {
    const { marks, nowY } = layTree(input([node(0), node(3, [rejected(20, 8)])]))
    const now = marks.filter((mark) => mark.now)
    expect(now.map((mark) => [mark.kind, mark.text, mark.step])).toEqual([['tried', 'b8', 20]])
    expect(nowY).toBe(now[0]?.y)
    const placed = layTree(input([node(0), node(20)])).marks.filter((mark) => mark.now)
    expect(placed.map((mark) => mark.kind)).toEqual(['node'])
    const back = layTree(input([node(0), node(3, [undone(5, 20, 6)])])).marks.filter((mark) => mark.now)
    expect(back.map((mark) => [mark.kind, mark.step])).toEqual([['tried', 5]])
  })

  it('folds levels in a row at which the first try held, and shows them one by one when asked', () => {
    const nodes = [node(0), node(1), node(2), node(3), node(4), node(5), node(6, [rejected(7, 8)]), node(20)]
    const folded = layTree(input(nodes))
    expect(of(folded.marks, 'fold').map((mark) => [mark.level, mark.count])).toEqual([[1, 5]])
    expect(of(folded.marks, 'node').map((mark) => mark.level)).toEqual([6, 7])
    const open = layTree(input(nodes, {}, { unfolded: new Set([1]) }))
    expect(of(open.marks, 'fold')).toEqual([])
    expect(of(open.marks, 'node').map((mark) => mark.level)).toEqual([1, 2, 3, 4, 5, 6, 7])
    // what is not known is never called quiet
    const unsure = nodes.map((each) => ({ ...each, whole: false }))
    expect(of(layTree(input(unsure)).marks, 'fold')).toEqual([])
    expect(of(layTree(input(unsure)).marks, 'unknown')).toHaveLength(nodes.length)
  })

  it('says how much lies above, and what did not fit beside the path', () => {
    const many = Array.from({ length: 60 }, (_, k) => rejected(30 + k, k))
    const { marks, left } = layTree(input([node(4), node(9, many, { more: 7 })], { top: 261, step: 95 }))
    expect(of(marks, 'above').map((mark) => mark.count)).toEqual([260])
    const shown = of(marks, 'tried').length
    expect(shown).toBeLessThan(20)
    expect(of(marks, 'more').map((mark) => mark.count)).toEqual([67 - shown])
    expect(left).toBeGreaterThan(-250)
    const wide = layTree(input([node(4), node(9, many)], { top: 261, step: 95 }, { width: 1e6 }))
    expect(of(wide.marks, 'tried')).toHaveLength(60)
    expect(of(wide.marks, 'more')).toEqual([])
  })

  it('unfolds a subtree beside the path, without one mark over another', () => {
    const inside: Branch[] = [
      { ...rejected(6, 1), children: [] },
      { ...undone(7, 9, 2), children: [{ ...rejected(8, 3), children: [] }] },
    ]
    const subtrees = new Map([[5, inside]])
    const nodes = [node(0, [undone(5, 10, 6), rejected(11, 7)]), node(12), node(20)]
    const { marks } = layTree(input(nodes, {}, { subtrees }))
    const steps = of(marks, 'tried').map((mark) => [mark.step, mark.level])
    expect(steps.sort()).toEqual(
      [
        [11, 1],
        [5, 1],
        [6, 2],
        [7, 2],
        [8, 3],
      ].sort(),
    )
    expect(of(marks, 'subtree').map((mark) => [mark.count, mark.unfolded])).toEqual([[5, true]])
    const solid = marks.filter((mark) => mark.kind !== 'subtree')
    for (const a of solid)
      for (const b of solid) {
        if (a === b) continue
        const apart = Math.abs(a.x - b.x) >= (a.w + b.w) / 2 - 1 || Math.abs(a.y - b.y) >= (a.h + b.h) / 2 - 1
        expect([a.step, b.step, apart]).toEqual([a.step, b.step, true])
      }
    expect(of(layTree(input(nodes)).marks, 'subtree').map((mark) => mark.unfolded)).toEqual([false])
  })

  it('makes the floor that stays idle a question of its own, and ends in a tick', () => {
    const idle: Attempt = { step: 6, end: 6, kind: 'waste', buffer: -1, offset: 4, count: 0, rule: 0 }
    const nodes = [node(0), node(3, [rejected(4, 5), idle, rejected(7, 6)]), node(20)]
    const { marks } = layTree(input(nodes, { candidates: 0, tried: 0 }, { count: 2 }))
    expect(marks.filter((mark) => mark.path).map((mark) => mark.kind)).toEqual([
      'root',
      'node',
      'idle',
      'node',
      'solved',
    ])
    const at = (step: number) => marks.find((mark) => mark.step === step)?.y ?? 0
    expect([at(4) < at(6), at(6) < at(7)]).toEqual([true, true])
  })

  it('is gone about with the arrows and found under the pointer', () => {
    const layout = layTree(input([node(0), node(3, [rejected(4, 5), rejected(5, 6)]), node(20)]))
    const index = (step: number) => layout.marks.findIndex((mark) => mark.step === step)
    expect(neighbour(layout, index(5), 'ArrowLeft')).toBe(index(4))
    expect(neighbour(layout, index(4), 'ArrowRight')).toBe(index(5))
    expect(layout.marks[neighbour(layout, index(3), 'ArrowDown')]?.level).toBe(2)
    expect(neighbour(layout, index(0), 'ArrowUp')).toBe(-1)
    expect(layout.marks[neighbour(layout, -1, 'ArrowUp')]?.path).toBe(true)
    const four = layout.marks[index(4)] as TreeMark
    expect(treeMarkAt(layout, four.x + 2, four.y - 3, 6)).toBe(index(4))
    expect(treeMarkAt(layout, four.x - 200, four.y, 6)).toBe(-1)
  })

  it('lays out thousands of levels', () => {
    const nodes = Array.from({ length: 5000 }, (_, k) => node(2 * k + 1, [rejected(2 * k + 2, 3)]))
    const { marks, height } = layTree(input(nodes, { step: 9999 }))
    expect(of(marks, 'node')).toHaveLength(4999)
    expect(height).toBeGreaterThan(5000 * 40)
  })
})

describe('a condensed subtree', () => {
  it('has one branch for what a rule discards in a row, and loses no candidate', () => {
    const leaf = (attempt: Attempt): Branch => ({ ...attempt, children: [] })
    const skip = { ...rejected(9, 4, 'dominance'), kind: 'skip' as const, count: 5 }
    const branches = [
      leaf(rejected(4, 1)),
      leaf(rejected(5, 2)),
      leaf(rejected(6, 3, 'capacity')),
      {
        ...undone(7, 12, 4),
        children: [leaf(rejected(8, 5)), leaf(skip), leaf(rejected(10, 6)), leaf(rejected(11, 7))],
      },
      leaf(rejected(13, 8)),
    ]
    const made = condensed(branches)
    expect(made.map(({ step, end, count }) => [step, end, count])).toEqual([
      [4, 5, 2],
      [6, 6, 1],
      [7, 12, 1],
      [13, 13, 1],
    ])
    expect(made[2]?.children.map(({ step, end, count }) => [step, end, count])).toEqual([
      [8, 8, 1],
      [9, 9, 5],
      [10, 11, 2],
    ])
    expect(branches[0]?.count).toBe(1)
  })
})

describe('in words', () => {
  const words = { manifest, complete: true }
  const mark = (rest: Partial<TreeMark>) => ({
    kind: 'tried',
    level: 2,
    attempt: null,
    step: 5,
    count: 1,
    now: false,
    ...rest,
  })
  it('a mark says what became of it', () => {
    expect(fateWords(mark({ attempt: rejected(4, 5) }), words)).toBe('section')
    expect(fateWords(mark({ attempt: undone(5, 1205, 6) }), words)).toBe('exhausted, 1,200 steps')
    // a solver that proves nothing has not exhausted what it takes back
    expect(fateWords(mark({ attempt: undone(5, 6, 6) }), { ...words, complete: false })).toBe('taken back, 1 step')
    expect(fateWords(mark({ kind: 'open', count: 3 }), words)).toBe('3 not tried yet')
    expect(fateWords(mark({ attempt: { ...rejected(4, 5), kind: 'skip', count: 9 }, count: 9 }), words)).toBe(
      'section, 9 candidates',
    )
  })

  it('sources are cited by section', () => {
    expect(cited('MiniMalloc 6.2, eq. 3')).toBe('MiniMalloc §6.2, eq. 3')
    expect(cited('MiniMalloc 5, 6.1')).toBe('MiniMalloc §5, §6.1')
    expect(cited('Arenascope exact')).toBe('Arenascope exact')
    expect(cited('')).toBe('A constraint of the problem')
  })
})

/** The sections of the two papers that speak of rules. */
const CITED =
  /^(MiniMalloc (reference program|§(5|6\.[123]|7|8)(, (§6\.[123]|eq\. [0-9]))?)|TelaMalloc §5\.[1-5]|Arenascope exact|A constraint of the problem)$/

describe('a kind of step', () => {
  /** EJECT, as if the manifest said that it opens a node. */
  const opening = (then: () => void) => {
    const effects: Record<string, string> = EFFECTS
    const before = effects.eject as string
    effects.eject = 'opens'
    try {
      then()
    } finally {
      effects.eject = before
    }
  }
  const eject = (step: number, buffer: number, depth: number): SearchEvent => ({
    kind: 'eject',
    ...{ step, line: 0, depth, buffer, offset: 8, count: 2, fails: 0, budget: 0, target: 0, list: new Uint32Array() },
  })
  const taken = { ...undone(5, 9, 6), kind: 'eject' as Attempt['kind'] }

  it('that opens a node has a disc, its subtree and its words, whatever its name', () => {
    opening(() => {
      const inside = [{ ...rejected(6, 2), children: [] }]
      const nodes = [node(0), node(3, [taken]), node(20)]
      const { marks } = layTree(input(nodes, {}, { subtrees: new Map([[5, inside]]) }))
      expect(of(marks, 'subtree')).toEqual([expect.objectContaining({ attempt: taken, count: 4, unfolded: true })])
      expect(of(marks, 'tried').map((mark) => [mark.step, mark.fate])).toEqual([
        [5, null],
        [6, fateOf('section')],
      ])
      const mark = { kind: 'tried', level: 2, attempt: taken, step: 5, count: 1, now: false }
      expect(fateWords(mark, { manifest, complete: true })).toBe('exhausted, 4 steps')
    })
  })

  it('that opens a node has its branch among the events', () => {
    const events = [eject(5, 6, 3), eject(6, 7, 4)]
    expect(branchesAbove(events, 2, 4, 8)).toEqual([])
    opening(() => {
      const branch = { kind: 'eject', offset: 8, count: 2, rule: 0, end: 8 }
      const inner = { ...branch, step: 6, buffer: 7, children: [] }
      expect(branchesAbove(events, 2, 4, 8)).toEqual([{ ...branch, step: 5, buffer: 6, children: [inner] }])
    })
  })
})

describe('the core', () => {
  it('defines every rule in a sentence, says who says so, and has a glyph for it', async () => {
    const core = await makeCore()
    const rules = core.manifest.rules.filter(({ id }) => id !== 'none')
    expect(rules.length).toBeGreaterThan(15)
    for (const rule of rules) {
      expect([rule.id, rule.text]).toEqual([rule.id, expect.stringMatching(/^[A-Z].{20,140}\.$/)])
      expect([rule.id, cited(rule.source)]).toEqual([rule.id, expect.stringMatching(CITED)])
      expect([rule.id, fateOf(rule.id)]).not.toEqual([rule.id, 'other'])
      expect(headed(rule)).toMatch(/^[A-Z]/)
    }
    core.free()
  })

  it('tells the same of a subtree from its events as from the path at each of its steps', async () => {
    const core = await makeCore()
    const { csv, capacity } = core.generate('synthetic', 30, 3)
    expect(core.open(csv)).toMatchObject({ ok: true })
    core.start({ ...config('minimalloc', capacity - 1, rulesOff(core.manifest)), budget: 4000 })
    while (core.step(1000) === 'running');
    const pick = random(4)
    let seen = 0
    for (let trial = 0; trial < 40; trial++) {
      const path = wholePath(core, pick(4000))
      const attempts = path.nodes.flatMap((each, k) => each.attempts.map((attempt) => ({ attempt, level: k + 1 })))
      const found = attempts.filter(({ attempt }) => attempt.kind === 'place' && attempt.end - attempt.step < 300)
      const one = found[pick(Math.max(1, found.length))]
      if (one === undefined) continue
      seen += 1
      const { attempt, level } = one
      const { events } = core.seek(attempt.end, attempt.end - attempt.step, 0)
      const within = attempt.step + pick(attempt.end - attempt.step)
      const inner = wholePath(core, within)
      const open = branchesAbove(events, level, attempt.step, within)
      // what stands open at that step is the last branch of each node; what was tried there stands before it
      let branches = open
      for (let at = level; at <= inner.depth; at++) {
        const own = inner.nodes[at]
        const last = at < inner.depth ? branches.at(-1) : undefined
        const closed = last === undefined ? branches : branches.slice(0, -1)
        expect(closed.map(({ children: _, ...rest }) => rest)).toEqual(own?.attempts)
        if (at < inner.depth) expect(last?.step).toBe(inner.nodes[at + 1]?.step)
        branches = last?.children ?? []
      }
    }
    expect(seen).toBeGreaterThan(10)
    core.free()
  })
})

function wholePath(core: Core, step: number): TreePath {
  for (;;) {
    const path = core.path(step, 100, 1000, 2000)
    if (path.whole) return path
  }
}
