/** The search tree in rows: what stands on the path and beside it, in words, for keys and screen readers. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Attempt, PathNode } from '../../../wasm/client/types'
import type { TreeMark } from '../../../web/src/layout/tree/tree'
import { TreeList } from '../../../web/src/panels/tree/tree_list'
import * as t from '../../../web/src/state/tree/tree'
import { frameOf } from '../support/fake'
import { ruleIndex } from '../support/rules'
import { control, fireEvent, key, screen, stand } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const on = stand()

const attempt = (kind: Attempt['kind'], step: number, buffer: number, more: Partial<Attempt> = {}): Attempt => ({
  step,
  end: step,
  kind,
  buffer,
  offset: 4,
  count: 1,
  rule: 0,
  ...more,
})
const node = (step: number, attempts: Attempt[] = []): PathNode => ({ step, attempts, more: 0, whole: true })

/** b1 at step 3; b2 was rejected, b3 placed and taken back; b4 at step 12 is the step shown. */
const NODES = [
  node(0),
  node(3, [attempt('reject', 4, 1, { rule: ruleIndex('section') }), attempt('place', 5, 2, { end: 9, offset: 8 })]),
  node(12),
]

function know(nodes: PathNode[] | null): void {
  const depth = nodes === null ? 0 : nodes.length - 1
  const path = nodes && { step: 12, depth, top: 0, nodes, tried: 0, candidates: 2, whole: true, from: 0 }
  const frame = frameOf(12, [], {
    depth,
    stack: Uint32Array.from([0, 3]),
    tried: Uint32Array.from([1, 3]),
    candidates: Uint32Array.from([1, 3]),
  })
  t.tree.set({ kind: 'known', known: { frame, path } })
}

beforeEach(() => {
  t.tree.set({ kind: 'none' })
  t.subtrees.set(new Map())
  t.unfoldedRuns.set(new Set())
})

const rows = () => [...control('treegrid', 'Search tree').querySelectorAll('.rows-body > [role=row]')]
const words = () => rows().map((row) => [...row.children].map((cell) => cell.textContent))

describe('the tree in rows', () => {
  it('tells the path and what was tried beside it, with fate, offset and step', () => {
    know(NODES)
    on.show(<TreeList pick={() => {}} />)
    expect(words()).toEqual([
      ['', '', 'nothing is placed', '', '0'],
      ['1', 'b1', 'placed', '', '3'],
      ['2', 'b2', 'section', '4', '4'],
      ['2', 'b3', 'exhausted, 4 steps', '8', '5'],
      ['2', 'b3', 'subtree of 4 steps', '8', ''],
      ['2', 'b4', 'placed now', '', '12'],
      ['3', '', '2 not tried yet', '', ''],
    ])
  })

  it('tells what was tried above a placement behind it, and what is no longer known before all', () => {
    const [first, second, last] = NODES as [PathNode, PathNode, PathNode]
    know([first, { ...second, more: 6 }, last])
    const branch = {
      kind: 'reject' as const,
      step: 7,
      end: 7,
      buffer: 4,
      offset: 0,
      count: 1,
      rule: ruleIndex('hatless'),
    }
    t.subtrees.set(new Map([[5, [{ ...branch, children: [] }]]]))
    on.show(<TreeList pick={() => {}} />)
    expect(
      words()
        .slice(2, 6)
        .map(([, id, fate]) => `${id} ${fate}`),
    ).toEqual([' 6 tried before', 'b2 section', 'b3 exhausted, 4 steps', 'b5 hatless'])
    expect(rows()[5]?.getAttribute('aria-level')).toBe('4')
  })

  it('has no rows before the path is known, and none where there is no tree', () => {
    expect(on.show(<TreeList pick={() => {}} />).textContent).toBe('')
    know(null)
    expect(on.show(<TreeList pick={() => {}} />).textContent).toBe('')
  })

  it('says how deep each stands: what was tried beside the path one level deeper than the path', () => {
    know(NODES)
    on.show(<TreeList pick={() => {}} />)
    expect(rows()[1]?.getAttribute('aria-level')).toBe('1')
    expect(rows()[2]?.getAttribute('aria-level')).toBe('3')
    expect(control('treegrid', 'Search tree').getAttribute('aria-colcount')).toBe('5')
  })

  it('gathers what a node has left open in one row', () => {
    know([node(0), node(3)])
    on.show(<TreeList pick={() => {}} />)
    expect(words().filter(([, , fate]) => fate?.includes('not tried yet'))).toHaveLength(1)
  })

  it('hands on what is taken, by click or by key, and lights its buffer', () => {
    know(NODES)
    const pick = vi.fn<(mark: TreeMark) => void>()
    on.show(<TreeList pick={pick} />)
    fireEvent.click(rows()[2] as Element)
    expect(pick.mock.lastCall?.[0]).toMatchObject({ kind: 'tried', buffer: 1, step: 4 })
    const grid = control('treegrid', 'Search tree')
    key(grid, 'ArrowDown')
    key(grid, 'ArrowDown')
    expect(workbench.lit.get().buffers).toEqual([0])
    key(grid, 'Enter')
    expect(pick.mock.lastCall?.[0]).toMatchObject({ kind: 'node', buffer: 0, step: 3 })
    key(grid, 'Home')
    expect(workbench.lit.get().buffers).toEqual([])
  })

  it('follows the step', async () => {
    know(NODES)
    on.show(<TreeList pick={() => {}} />)
    know([node(0), node(12)])
    await on.settle()
    expect(screen.queryByText('section')).toBeNull()
    screen.getByText('placed now')
  })
})
