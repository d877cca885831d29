/** Graphs as the core takes them: graph CSV (core/src/io/README.md). */
import type { Graph, Op } from './graph'
import { kindText } from './kinds'
import { type PackedGraph, type PlainTensor, shapeName, unpackGraph } from './packed'

/** Quoted where the reader would otherwise split, trim or take it for a comment. */
function cell(text: string): string {
  return /[,;\t"\r\n]|^[ #]| $/.test(text) ? quote(text) : text
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

/** A row without the cells at its end that say nothing; the first `least` always stay. */
function row(cells: string[], least: number): string {
  let count = cells.length
  while (count > least && cells[count - 1] === '') count--
  return cells.slice(0, count).join(',')
}

function tensorRow({ id, bytes, kind, alignment, shape, dtype, axes }: PlainTensor): string {
  const name = kindText(kind)
  const more = [name === 'activation' ? '' : name, alignment === 1 ? '' : `${alignment}`]
  return row(['tensor', cell(id), `${bytes}`, ...more, cell(shape), cell(dtype), axes], 3)
}

/** Ids between semicolons, pairs with an equals sign; a backslash goes before what would end an id. */
function list(tensors: readonly { id: string }[], items: readonly (number | readonly [number, number])[]): string {
  const idOf = (tensor: number) => {
    const found = tensors[tensor]
    if (!found) throw new RangeError(`the graph has no tensor ${tensor}`)
    return found.id.replace(/[\\;=]/g, '\\$&')
  }
  const text = items.map((item) => (typeof item === 'number' ? idOf(item) : item.map(idOf).join('='))).join(';')
  return /[, \t"\r\n]/.test(text) ? quote(text) : text
}

function opRow(tensors: readonly PlainTensor[], op: Op): string {
  const { id, type, inputs, outputs, inplace = [], alias = [], workspace = 0, windows = '' } = op
  const pairs = [list(tensors, inplace), list(tensors, alias), workspace === 0 ? '' : `${workspace}`]
  return row(['op', cell(id), cell(type), list(tensors, inputs), list(tensors, outputs), ...pairs, cell(windows)], 5)
}

/** Tensors first, then the operators in their order. */
function write(tensors: readonly PlainTensor[], ops: readonly Op[]): string {
  const rows = [...tensors.map(tensorRow), ...ops.map((op) => opRow(tensors, op))]
  return rows.map((text) => `${text}\n`).join('')
}

export function writeGraphCsv({ tensors, ops }: Graph): string {
  const plain = tensors.map(
    ({ id, bytes, kind, alignment = 1, shape, dtype = '', axes = '' }): PlainTensor => ({
      ...{ id, bytes, kind, alignment, dtype, axes },
      shape: shapeName(shape),
    }),
  )
  return write(plain, ops)
}

/** The same text, of what packGraph made of it. */
export function writePackedCsv(packed: PackedGraph): string {
  const { tensors, ops } = unpackGraph(packed)
  return write(tensors, ops)
}
