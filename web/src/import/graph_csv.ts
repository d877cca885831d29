/** Graphs as the core takes them: graph CSV (core/src/io/README.md). */
import type { Graph, Op, Tensor } from './graph'
import { kindText } from './kinds'

/** Quoted where the reader would otherwise split, trim or take it for a comment. */
function cell(text: string): string {
  return /[,;\t"\r\n]|^[ #]| $/.test(text) ? quote(text) : text
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

/** What the core takes for a text to be shown. */
const MOST_SHAPE = 255

function shapeName(shape: readonly number[] | undefined): string {
  if (!shape) return ''
  const text = shape.length === 0 ? 'scalar' : shape.join('x')
  return text.length > MOST_SHAPE ? `${shape.length} sides` : text
}

/** A row without the cells at its end that say nothing; the first `least` always stay. */
function row(cells: string[], least: number): string {
  let count = cells.length
  while (count > least && cells[count - 1] === '') count--
  return cells.slice(0, count).join(',')
}

function tensorRow({ id, bytes, kind, alignment = 1, shape, dtype = '' }: Tensor): string {
  const name = kindText(kind)
  const more = [name === 'activation' ? '' : name, alignment === 1 ? '' : `${alignment}`]
  return row(['tensor', cell(id), `${bytes}`, ...more, cell(shapeName(shape)), cell(dtype)], 3)
}

/** Ids between semicolons, pairs with an equals sign; a backslash goes before what would end an id. */
function list(graph: Graph, items: readonly (number | readonly [number, number])[]): string {
  const idOf = (tensor: number) => {
    const found = graph.tensors[tensor]
    if (!found) throw new RangeError(`the graph has no tensor ${tensor}`)
    return found.id.replace(/[\\;=]/g, '\\$&')
  }
  const text = items.map((item) => (typeof item === 'number' ? idOf(item) : item.map(idOf).join('='))).join(';')
  return /[, \t"\r\n]/.test(text) ? quote(text) : text
}

function opRow(graph: Graph, { id, type, inputs, outputs, inplace = [], alias = [], workspace = 0 }: Op): string {
  const pairs = [list(graph, inplace), list(graph, alias), workspace === 0 ? '' : `${workspace}`]
  return row(['op', cell(id), cell(type), list(graph, inputs), list(graph, outputs), ...pairs], 5)
}

/** Tensors first, then the operators in their order. */
export function writeGraphCsv(graph: Graph): string {
  const rows = [...graph.tensors.map(tensorRow), ...graph.ops.map((op) => opRow(graph, op))]
  return rows.map((text) => `${text}\n`).join('')
}
