import type { ComponentChildren } from 'preact'
import { bytesIn, exactBytes, thousands } from '../base/format'
import { useValue } from '../base/use_value'
import { frame, opened } from '../state/atoms'
import { operators, unit } from '../state/derive'
import { buffersOf, heldAt, makerName, opName, readersAt, shapeText } from '../state/operators'
import { hovered, hoveredOp } from '../state/ui'

const WIDTH = 216
const MARGIN = 14

function Row({ name, value, title }: { name: string; value: string; title?: string }) {
  return (
    <div class="fact" title={title}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

/** It follows the pointer, keeps inside the window, and never takes a click. */
function Bubble({ x, y, title, children }: { x: number; y: number; title: string; children: ComponentChildren }) {
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

/** Of a model: what makes the buffer, what it holds, who reads it. */
function Tensor({ buffer }: { buffer: number }) {
  const all = useValue(operators)
  if (all === null) return null
  const held = heldAt(all, buffer)
  const readers = readersAt(all, buffer)
  const shape = shapeText(all, buffer)
  return (
    <>
      <Row name="made by" value={makerName(all, buffer)} />
      {shape !== '' && <Row name="shape" value={shape} />}
      {held.length > 1 && <Row name="holds" value={`${thousands(held.length)} tensors`} />}
      {readers.length === 1 && <Row name="read by" value={opName(all.model, readers[0] ?? 0)} />}
      {readers.length > 1 && <Row name="read by" value={`${thousands(readers.length)} operators`} />}
    </>
  )
}

function OperatorTip() {
  const at = useValue(hoveredOp)
  const all = useValue(operators)
  const problem = useValue(opened)?.problem
  const amounts = useValue(unit)
  if (at === null || all === null || problem === undefined || at.op >= all.shade.length) return null
  const { inputs, outputs } = buffersOf(all.model, at.op)
  const sum = (buffers: number[]) => buffers.reduce((bytes, k) => bytes + (problem.size[k] ?? 0), 0)
  const amount = (buffers: number[]) =>
    buffers.length === 0
      ? '–'
      : `${bytesIn(sum(buffers), amounts)}${buffers.length === 1 ? '' : ` in ${thousands(buffers.length)}`}`
  return (
    <Bubble x={at.x} y={at.y} title={opName(all.model, at.op)}>
      <Row name="type" value={all.model.ops.types[at.op] ?? ''} />
      <Row name="runs at" value={thousands(at.op)} />
      <Row name="reads" value={amount(inputs)} title={exactBytes(sum(inputs))} />
      <Row name="writes" value={amount(outputs)} title={exactBytes(sum(outputs))} />
    </Bubble>
  )
}

function BufferTip() {
  const at = useValue(hovered)
  const problem = useValue(opened)?.problem
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
    <Bubble x={at.x} y={at.y} title={problem.ids[k] ?? ''}>
      <Row name="alive" value={`[${thousands(problem.lower[k] ?? 0)}, ${thousands(problem.upper[k] ?? 0)})`} />
      <Row name="size" value={bytesIn(size, amounts)} title={exactBytes(size)} />
      {offset >= 0 && <Row name="offset" value={bytesIn(offset, amounts)} />}
      {offset < 0 && least >= 0 && <Row name="least offset" value={bytesIn(least, amounts)} />}
      {(problem.alignment[k] ?? 1) > 1 && <Row name="alignment" value={bytesIn(problem.alignment[k] ?? 1, amounts)} />}
      {(problem.bank[k] ?? 0) > 0 && <Row name="bank" value={bytesIn(problem.bank[k] ?? 0, amounts)} />}
      {fixed >= 0 && <Row name="fixed at" value={bytesIn(fixed, amounts)} />}
      {level > 0 && <Row name="level" value={thousands(level)} />}
      <Tensor buffer={k} />
    </Bubble>
  )
}

/** What lies under the pointer. */
export function Tooltip() {
  return (
    <>
      <BufferTip />
      <OperatorTip />
    </>
  )
}
