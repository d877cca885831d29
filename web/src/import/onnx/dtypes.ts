/** The element types of ONNX (TensorProto.DataType) by their numbers. */
import { bitsOf, byteSize } from '../dtypes'

const names: Readonly<Record<number, string>> = {
  1: 'float32',
  2: 'uint8',
  3: 'int8',
  4: 'uint16',
  5: 'int16',
  6: 'int32',
  7: 'int64',
  8: 'string',
  9: 'bool',
  10: 'float16',
  11: 'float64',
  12: 'uint32',
  13: 'uint64',
  14: 'complex64',
  15: 'complex128',
  16: 'bfloat16',
  17: 'float8_e4m3fn',
  18: 'float8_e4m3fnuz',
  19: 'float8_e5m2',
  20: 'float8_e5m2fnuz',
  21: 'uint4',
  22: 'int4',
  23: 'float4',
  24: 'float8_e8m0',
  25: 'uint2',
  26: 'int2',
}

export const FLOAT = 1
export const UINT8 = 2
export const INT32 = 6
export const INT64 = 7
export const STRING = 8
export const BOOL = 9
export const DOUBLE = 11

/** As graph.ts has it; undefined: no type of ONNX. */
export function nameOf(dtype: number): string | undefined {
  return names[dtype]
}

/** Types whose values are whole numbers: what shapes are computed in. */
export function isWhole(dtype: number): boolean {
  return (dtype >= UINT8 && dtype <= INT64) || dtype === BOOL || dtype === 12 || dtype === 13
}

/** Types whose values are kept while a tensor is small. */
export function isNumber(dtype: number): boolean {
  return isWhole(dtype) || dtype === FLOAT || dtype === DOUBLE
}

export function elements(shape: readonly number[]): number {
  return shape.reduce((count, dim) => count * dim, 1)
}

/** ceil(elements × bits / 8); undefined if an element has no fixed size; null if it is not below 2^53. */
export function bytesOf(dtype: number, shape: readonly number[]): number | null | undefined {
  const bits = bitsOf(names[dtype] ?? '')
  return bits === undefined ? undefined : byteSize(shape, bits)
}
