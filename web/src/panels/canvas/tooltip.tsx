import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { bytesIn, exactBytes, poolName, thousands } from '../../base/format'
import { Later } from '../../base/later'
import { useValue } from '../../base/use_value'
import { operators, unit, frame, hovered, problem as shownProblem } from '../../state/workbench'
import type { Problem } from '../../../../wasm/client/types'

/** Of a model alone. */
const ofModel = new Later(() => import('./tooltip_model'))
type Model = typeof import('./tooltip_model')

const WIDTH = 216
const MARGIN = 14

export function Row({ name, value, title }: { name: string; value: string; title?: string }) {
  return (
    <div class="fact" title={title}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

/** It follows the pointer, keeps inside the window, and never takes a click. */
export function Bubble({
  x,
  y,
  title,
  children,
}: {
  x: number
  y: number
  title: string
  children: ComponentChildren
}) {
  const right = x + MARGIN + WIDTH > window.innerWidth
  const below = y < window.innerHeight / 2
  const style = {
    left: `${right ? x - MARGIN - WIDTH : x + MARGIN}px`,
    top: below ? `${y + MARGIN}px` : 'auto',
    bottom: below ? 'auto' : `${window.innerHeight - y + MARGIN}px`,
  }
  return (
    <div class="tooltip" role="tooltip" style={style}>
      <p class="tooltip-id mono">{title}</p>
      <dl class="facts">{children}</dl>
    </div>
  )
}

function nameOf({ pools = [], pool }: Problem, buffer: number): string {
  const one = pools[pool?.[buffer] ?? -1]
  return one === undefined ? 'any' : poolName(one)
}

function BufferTip({ model }: { model: Model | null }) {
  const at = useValue(hovered)
  const problem = useValue(shownProblem) ?? undefined
  const shown = useValue(frame)
  const amounts = useValue(unit)
  if (at === null || problem === undefined || at.buffer >= problem.count) return null
  const k = at.buffer
  const offset = shown?.offset[k] ?? -1
  const least = shown?.minOffset?.[k] ?? -1
  const fixed = problem.fixed[k] ?? -1
  const level = shown?.level[k] ?? 0
  const size = problem.size[k] ?? 0
  return (
    <Bubble x={at.x} y={at.y} title={problem.ids.at(k) ?? ''}>
      <Row name="alive" value={`[${thousands(problem.lower[k] ?? 0)}, ${thousands(problem.upper[k] ?? 0)})`} />
      <Row name="size" value={bytesIn(size, amounts)} title={exactBytes(size)} />
      {offset >= 0 && <Row name="offset" value={bytesIn(offset, amounts)} />}
      {offset < 0 && least >= 0 && <Row name="least offset" value={bytesIn(least, amounts)} />}
      {(problem.alignment[k] ?? 1) > 1 && <Row name="alignment" value={bytesIn(problem.alignment[k] ?? 1, amounts)} />}
      {(problem.bank[k] ?? 0) > 0 && <Row name="bank" value={bytesIn(problem.bank[k] ?? 0, amounts)} />}
      {problem.pools !== undefined && <Row name="pool" value={nameOf(problem, k)} />}
      {fixed >= 0 && <Row name="fixed at" value={bytesIn(fixed, amounts)} />}
      {level > 0 && <Row name="level" value={thousands(level)} />}
      {model && <model.Tensor buffer={k} />}
    </Bubble>
  )
}

/** What lies under the pointer. */
export function Tooltip() {
  const now = useValue(ofModel.arrival)
  const model = now.kind === 'there' ? now.part : null
  const wanted = useValue(operators) !== null
  useEffect(() => {
    if (wanted) ofModel.get().catch(() => {})
  }, [wanted])
  return (
    <>
      <BufferTip model={model} />
      {model && <model.OperatorTip />}
    </>
  )
}
