/** Products of matrices. */
import { FLOAT, INT32 } from '../dtypes'
import { broadcast, type Call, list, type Results, type Rules, type Shape, tensor } from './rule'

/** numpy's matmul: leading dimensions are broadcast, a vector is a row on the left and a column on the right. */
export function product(call: Call, a: Shape, b: Shape): number[] {
  if (a.length === 0 || b.length === 0) call.wrong('a scalar is no matrix')
  const left = a.length === 1 ? [1, ...a] : a
  const right = b.length === 1 ? [...b, 1] : b
  const inner = left[left.length - 1]
  if (inner !== right[right.length - 2])
    call.wrong(
      `the shapes ${list(a)} and ${list(b)} do not go together: ${inner} columns, ${right[right.length - 2]} rows`,
    )
  const out = broadcast(call, [left.slice(0, -2), right.slice(0, -2)])
  if (a.length > 1) out.push(left[left.length - 2] as number)
  if (b.length > 1) out.push(right[right.length - 1] as number)
  return out
}

const turned = (shape: Shape): number[] => [...shape.slice(0, -2), ...shape.slice(-2).reverse()]

function gemm(call: Call): Results {
  const a = call.rank(0, 2, 2)
  const b = call.rank(1, 2, 2)
  const out = product(call, call.int('transA', 0) ? turned(a) : a, call.int('transB', 0) ? turned(b) : b)
  if (call.has(2) && call.opset >= 7 && list(broadcast(call, [out, call.shape(2)])) !== list(out))
    call.wrong(`its third input has the shape ${list(call.shape(2))}, its result ${list(out)}`)
  return [tensor(call.dtype(0), out)]
}

function fused(call: Call): Results {
  const a = call.int('transA', 0) ? turned(call.shape(0)) : call.shape(0)
  const b = call.int('transB', 0) ? turned(call.shape(1)) : call.shape(1)
  return [tensor(call.dtype(0), product(call, a, b))]
}

/** Weights in blocks of few bits: K × N in attributes. */
function packed(call: Call): Results {
  const a = call.rank(0, 1)
  const [inner, columns] = [call.int('K', 0), call.int('N', 0)]
  if (a[a.length - 1] !== inner) call.wrong(`its input has ${a[a.length - 1]} columns, K is ${inner}`)
  return [tensor(call.dtype(0), [...a.slice(0, -1), columns])]
}

function einsum(call: Call): Results {
  const text = call.text('equation', '').replace(/\s/g, '')
  const [left, right] = text.split('->') as [string, string | undefined]
  const terms = left.split(',')
  if (terms.length !== call.inputs)
    call.wrong(`its equation “${text}” has ${terms.length} terms for ${call.inputs} inputs`)
  const sizes = new Map<string, number>()
  let dots: number[] = []
  terms.forEach((term, k) => {
    const shape = call.shape(k)
    const [head, tail] = term.split('...') as [string, string | undefined]
    const named = term.replace('...', '')
    const extra = shape.length - named.length
    if (extra < 0 || (tail === undefined && extra > 0))
      call.wrong(`“${term}” does not describe the shape ${list(shape)}`)
    if (tail !== undefined) dots = broadcast(call, [dots, shape.slice(head.length, head.length + extra)])
    ;[...named].forEach((letter, i) => {
      const dim = shape[i < head.length ? i : i + extra] as number
      const known = sizes.get(letter)
      if (known !== undefined && known !== dim && known !== 1 && dim !== 1)
        call.wrong(`“${letter}” of its equation is both ${known} and ${dim}`)
      sizes.set(letter, known === undefined || known === 1 ? dim : known)
    })
  })
  const all = [...left.replace(/[,.]/g, '')]
  const once = all.filter((letter) => all.indexOf(letter) === all.lastIndexOf(letter)).sort()
  const out = right ?? `...${once.join('')}`
  const [head, tail = ''] = out.split('...') as [string, string | undefined]
  const dim = (letter: string): number => sizes.get(letter) ?? call.wrong(`“${letter}” of its equation is in no input`)
  return [tensor(call.dtype(0), [...[...head].map(dim), ...(out.includes('...') ? dots : []), ...[...tail].map(dim)])]
}

export const linear: Rules = {
  MatMul: (call) => [tensor(call.dtype(0), product(call, call.shape(0), call.shape(1)))],
  MatMulInteger: (call) => [tensor(INT32, product(call, call.shape(0), call.shape(1)))],
  QLinearMatMul: (call) => [tensor(call.dtype(7), product(call, call.shape(0), call.shape(3)))],
  Gemm: gemm,
  FusedGemm: gemm,
  FusedMatMul: fused,
  TransposeMatMul: fused,
  DynamicQuantizeMatMul: (call) => [tensor(FLOAT, product(call, call.shape(0), call.shape(1)))],
  MatMulIntegerToFloat: (call) => [tensor(call.dtype(2), product(call, call.shape(0), call.shape(1)))],
  MatMulNBits: packed,
  MatMulBnb4: packed,
  QGemm: (call) => {
    const a = call.rank(0, 2, 2)
    const b = call.rank(3, 2, 2)
    const out = product(call, call.int('transA', 0) ? turned(a) : a, call.int('transB', 0) ? turned(b) : b)
    return [tensor(call.has(8) ? call.dtype(8) : FLOAT, out)]
  },
  Einsum: einsum,
}
