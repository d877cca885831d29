/** What of ExecuTorch's programs is read here: numbers of fields, unions and types, from its schema/program.fbs and scalar_type.fbs ("ET12"). */
export const IDENTIFIER = 'ET12'
/** A .bpte: schema/bundled_program_schema.fbs. */
export const BUNDLE = 'BP08'
export const BUNDLED_PROGRAM = 2

export const Program = { plans: 1 } as const
export const Plan = {
  name: 0,
  values: 2,
  inputs: 3,
  outputs: 4,
  chains: 5,
  operators: 6,
  delegates: 7,
  sizes: 8,
} as const
/** The type of a value stands in slot 0, the value in slot 1. */
export const Union = { type: 0, value: 1 } as const
export const Kind = { tensor: 5, tensorList: 10, optionalTensorList: 11 } as const
/** Of either kind of list. */
export const LIST_ITEMS = 0
export const TensorField = { type: 0, sizes: 2, data: 5, allocation: 6, extra: 9 } as const
export const Allocation = { memory: 0, low: 1, high: 2 } as const
export const EXTRA_NAME = 1
export const CHAIN_INSTRUCTIONS = 2
export const Call = { kernel: 1, delegate: 2, move: 3, jump: 4, free: 5 } as const
/** Of a call of a kernel or of a delegate. */
export const Called = { index: 0, args: 1 } as const
export const Move = { from: 0, to: 1 } as const
/** Of a jump: what decides; of a free: what is freed. */
export const ONE_VALUE = 0
export const JUMP_TO = 1
export const OPERATOR_NAME = 0
export const OPERATOR_OVERLOAD = 1
export const DELEGATE_ID = 0

/** Bits of an element by the number of its type. Types that take more than one byte for two are counted as they lie there. */
export const scalarBits: Readonly<Record<number, number>> = {
  0: 8,
  1: 8,
  2: 16,
  3: 32,
  4: 64,
  5: 16,
  6: 32,
  7: 64,
  8: 32,
  9: 64,
  10: 128,
  11: 8,
  12: 8,
  13: 8,
  14: 32,
  15: 16,
  16: 8,
  17: 8,
  22: 16,
  23: 8,
  24: 8,
  25: 8,
  26: 8,
  27: 16,
  28: 32,
  29: 64,
}
