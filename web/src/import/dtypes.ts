/** Bits of an element in memory, by the names that graph.ts uses. Types below a byte are packed. */
const bits: Readonly<Record<string, number>> = {
  float32: 32,
  float16: 16,
  bfloat16: 16,
  float64: 64,
  float8_e4m3fn: 8,
  float8_e4m3fnuz: 8,
  float8_e5m2: 8,
  float8_e5m2fnuz: 8,
  float8_e8m0: 8,
  bool: 8,
  int2: 2,
  uint2: 2,
  int4: 4,
  uint4: 4,
  float4: 4,
  int8: 8,
  uint8: 8,
  int16: 16,
  uint16: 16,
  int32: 32,
  uint32: 32,
  int64: 64,
  uint64: 64,
  complex64: 64,
  complex128: 128,
}

/** undefined: the size of such an element cannot be known from its type. */
export function bitsOf(dtype: string): number | undefined {
  return Object.hasOwn(bits, dtype) ? bits[dtype] : undefined
}

/** ceil(elements × bits / 8); [] is a scalar. null if it is not below 2^53. */
export function byteSize(shape: readonly number[], bitsEach: number): number | null {
  const total = shape.reduce((product, side) => product * BigInt(side), BigInt(bitsEach))
  const bytes = (total + 7n) / 8n
  return bytes <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(bytes) : null
}
