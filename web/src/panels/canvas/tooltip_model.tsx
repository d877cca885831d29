/** What a tooltip says of a model: of a buffer what it holds, of an operator what it reads and writes. */
import { bytesIn, exactBytes, percent, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { operators, unit, hoveredOp, problem as shownProblem } from '../../state/workbench'
import { buffersOf, heldAt, makerName, opName, readersAt, shapeText } from '../../state/model/operators'
import { Bubble, Row } from './bubble'

/** Of a model: what makes the buffer, what it holds, who reads it. */
export function Tensor({ buffer }: { buffer: number }) {
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

export function OperatorTip() {
  const at = useValue(hoveredOp)
  const all = useValue(operators)
  const problem = useValue(shownProblem) ?? undefined
  const amounts = useValue(unit)
  if (at === null || all === null || problem === undefined || at.op >= all.shade.length) return null
  const { inputs, outputs } = buffersOf(all.model, at.op)
  const [moved, fast] = [all.accessed?.all[at.op] ?? 0, all.accessed?.fast[at.op] ?? 0]
  const sum = (buffers: number[]) => buffers.reduce((bytes, k) => bytes + (problem.size[k] ?? 0), 0)
  const amount = (buffers: number[]) =>
    buffers.length === 0
      ? '–'
      : `${bytesIn(sum(buffers), amounts)}${buffers.length === 1 ? '' : ` in ${thousands(buffers.length)}`}`
  return (
    <Bubble x={at.x} y={at.y} title={opName(all.model, at.op)}>
      <Row name="type" value={all.model.ops.types[at.op] ?? ''} />
      <Row name="runs at" value={thousands(at.op)} />
      {all.changes?.moved[at.op] === 1 && (
        <Row name="moved" value={`from ${thousands(all.changes.from[at.op] ?? 0)} to ${thousands(at.op)}`} />
      )}
      <Row name="reads" value={amount(inputs)} title={exactBytes(sum(inputs))} />
      <Row name="writes" value={amount(outputs)} title={exactBytes(sum(outputs))} />
      {moved > 0 && <Row name="in fast memory" value={percent(fast / moved)} title={exactBytes(fast)} />}
    </Bubble>
  )
}
