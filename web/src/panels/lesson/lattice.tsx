/** The sets of placed buffers on the ways to one packing, level by level: MiniMalloc, Figure 6. A set can be gone to. */
import type { Problem } from '../../../../wasm/client/types'
import { memo } from '../../base/memo'
import { useValue } from '../../base/use_value'
import { lattice, type Node, ordersOf, packing } from '../../lessons/answers/orders'
import { kept, order } from '../../run/lesson/lesson_live'
import { setOrder } from '../../run/lesson/lessons'
import { opened } from '../../state/workbench'

const WIDTH = 332
const ROW = 60
const TOP = 22
const BOX = 30

/** Of the packing that an order ends in. */
const latticeOf = memo((problem: Problem, ids: readonly string[]): Node[][] => {
  const offset = packing(
    problem,
    ids.map((id) => problem.ids.indexOf(id)),
  )
  return lattice(offset, ordersOf(problem, offset))
})

const x = (level: Node[], k: number) => ((k + 0.5) * WIDTH) / Math.max(1, level.length)
const y = (row: number) => TOP + row * ROW

interface Way {
  order: number[]
  /** steps of it that are not canonical */
  other: number
}

/** A way to a set: on from the buffers already placed if they are on one, with as many canonical steps as can be. */
export function wayTo(levels: Node[][], target: Node, from: readonly number[]): number[] {
  const on = from.every((buffer) => target.buffers.includes(buffer)) ? extend(levels, [...from], target) : null
  return (on ?? extend(levels, [], target))?.order ?? []
}

function extend(levels: Node[][], order: number[], target: Node): Way | null {
  if (order.length === target.buffers.length) return sameSet(order, target.buffers) ? { order, other: 0 } : null
  const here = levels[order.length]?.find((node) => sameSet(node.buffers, order))
  let best: Way | null = null
  for (const { buffer, kind } of here?.next ?? []) {
    const found = target.buffers.includes(buffer) ? extend(levels, [...order, buffer], target) : null
    const other = (found?.other ?? 0) + (kind === 'canonical' ? 0 : 1)
    if (found !== null && (best === null || other < best.other)) best = { order: found.order, other }
  }
  return best
}

function sameSet(x: readonly number[], y: readonly number[]): boolean {
  return x.length === y.length && x.every((value) => y.includes(value))
}

function Edges({ levels, now }: { levels: Node[][]; now: readonly number[] }) {
  const walked = (row: number, node: Node, buffer: number) =>
    now[row] === buffer && sameSet(node.buffers, now.slice(0, row))
  return (
    <svg viewBox={`0 0 ${WIDTH} ${y(levels.length - 1) + TOP}`} aria-hidden="true" focusable="false">
      {levels.flatMap((level, row) =>
        level.flatMap((node, k) =>
          node.next.map(({ to, buffer, kind }) => {
            const next = levels[row + 1] ?? []
            const chosen = node.chosen && next[to]?.chosen === true
            const [x1, x2] = [x(level, k), x(next, to)]
            return (
              <line
                key={`${row} ${k} ${to}`}
                class={`edge edge-${kind}${chosen ? ' edge-chosen' : ''}${walked(row, node, buffer) ? ' edge-walked' : ''}`}
                x1={x1}
                y1={y(row) + BOX / 2}
                x2={x2}
                y2={y(row + 1) - BOX / 2}
              />
            )
          }),
        ),
      )}
    </svg>
  )
}

export function Lattice({ of }: { of: string[] }) {
  const problem = useValue(opened)?.problem
  const now = useValue(order) ?? []
  const counted = useValue(kept) !== 'counts'
  if (problem === undefined) return null
  const levels = latticeOf(problem, of)
  const total = y(levels.length - 1) + TOP
  return (
    <figure class="figure lattice" aria-label="The sets of placed buffers that lead to this packing">
      <div class="lattice-box">
        <Edges levels={levels} now={now} />
        {levels.flatMap((level, row) =>
          level.map((node, k) => {
            const names = node.buffers.map((buffer) => problem.ids.at(buffer)).join(' ')
            const ways = node.paths === 1 ? 'one way' : `${node.paths} ways`
            return (
              <button
                key={`${row} ${k}`}
                type="button"
                class={`node${node.chosen ? ' node-chosen' : ''}${sameSet(now, node.buffers) ? ' node-now' : ''}`}
                style={{
                  left: `${((x(level, k) / WIDTH) * 100).toFixed(2)}%`,
                  top: `${((y(row) / total) * 100).toFixed(2)}%`,
                }}
                aria-label={`${names || 'nothing placed'}${counted ? `, reached in ${ways}` : ''}`}
                aria-pressed={sameSet(now, node.buffers)}
                onClick={() => setOrder(wayTo(levels, node, now))}
              >
                {names || '∅'}
                {counted && node.paths > 1 && <small>×{node.paths}</small>}
              </button>
            )
          }),
        )}
      </div>
      <figcaption class="hint">
        <span class="key key-canonical">canonical</span>
        <span class="key key-offset">offset goes down</span>
        <span class="key key-index">index goes down</span>
      </figcaption>
    </figure>
  )
}
