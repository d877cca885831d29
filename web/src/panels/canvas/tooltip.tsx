import { useEffect } from 'preact/hooks'
import { bytesIn, exactBytes, poolName, thousands } from '../../base/format'
import { Later } from '../../base/later'
import { useValue } from '../../base/use_value'
import { operators, unit, frame, hovered, problem as shownProblem } from '../../state/workbench'
import type { Problem } from '../../../../wasm/client/types'
import { Bubble, Row } from './bubble'

/** Of a model alone. */
const ofModel = new Later(() => import('./tooltip_model'))
type Model = typeof import('./tooltip_model')

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
