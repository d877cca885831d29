/** The graph of a search that cut it: which part an operator is in, and how it was moved. */
import { describe, expect, it } from 'vitest'
import { byteUnit } from '../../../web/src/base/format'
import { opGraph } from '../../../web/src/layout/model/op_graph'
import { partsOf } from '../../../web/src/state/model/cuts'
import { inOrder } from '../../../web/src/state/model/operators'
import { smallModel } from '../support/model_fixture'

const model = smallModel()
const unit = byteUnit(100)
const cut = (live: number, operators: number[]) => ({ live, operators: Uint32Array.from(operators) })

describe('the parts of a graph', () => {
  it('are those between the cuts, and the rest', () => {
    expect(partsOf(model, [], unit)).toBeNull()
    const parts = partsOf(model, [cut(400, [0]), cut(600, [1, 2])], unit)
    expect([...(parts?.part ?? [])]).toEqual([0, 1, 1, 2, 2])
    expect(parts?.flags).toEqual([
      { op: 0, text: 'cut 1: 400' },
      { op: 2, text: 'cut 2: 600' },
    ])
  })

  it('are of operators by their rows, in whatever order they are shown', () => {
    const shown = inOrder(model, Uint32Array.from([0, 1, 2, 4, 3]))
    expect([...(partsOf(shown, [cut(1, [0, 1, 2, 4])], unit)?.part ?? [])]).toEqual([0, 0, 0, 0, 1])
  })
})

describe('the graph', () => {
  it('says of operators that were moved from where to where', () => {
    const changes = { from: Uint32Array.from([0, 2, 1, 3, 4]), moved: Uint8Array.from([0, 0, 1, 0, 0]), outside: [] }
    const { label, width } = opGraph(model, 1, 4, changes)
    expect(label).toEqual(['Conv', 'Add 1→2', 'Reshape'])
    expect(width[1]).toBeGreaterThan(width[0] ?? 0)
    expect(opGraph(model, 1, 4).label).toEqual(['Conv', 'Add', 'Reshape'])
  })
})
