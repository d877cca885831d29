/**
 * What of the schema of TFLite is read here: the numbers of fields, of data types and of operators, from
 * tensorflow/compiler/mlir/lite/schema/schema.fbs of TFLite Micro (version 3d). A slot is a field's place in its table; a union takes two.
 */
export const Model = {
  version: 0,
  operatorCodes: 1,
  subgraphs: 2,
  description: 3,
  buffers: 4,
  metadataBuffer: 5,
  metadata: 6,
  signatures: 7,
  /** fields of this number and beyond are not known here */
  count: 10,
} as const
export const Subgraph = { tensors: 0, inputs: 1, outputs: 2, operators: 3, name: 4 } as const
export const Signature = { name: 2, subgraph: 4 } as const
export const TensorField = {
  shape: 0,
  type: 1,
  buffer: 2,
  name: 3,
  quantization: 4,
  isVariable: 5,
  shapeSignature: 7,
  hasRank: 8,
  externalBuffer: 10,
} as const
/** Slot of the scales in the quantisation of a tensor. */
export const QUANTIZATION_SCALE = 2
export const Operator = { opcode: 0, inputs: 1, outputs: 2, options: 4, largeCustomOptionsOffset: 9 } as const
export const OperatorCode = { oldCode: 0, customCode: 1, code: 3 } as const
/** Of VAR_HANDLE. */
export const Variable = { container: 0, sharedName: 1 } as const
export const BufferField = { data: 0, offset: 1, size: 2 } as const
export const Metadata = { name: 0, buffer: 1 } as const

export const IDENTIFIER = 'TFL3'
export const VERSION = 3
/** The metadata in which TFLite Micro looks for a plan (tensorflow/lite/micro/docs/memory_management.md). */
export const OFFLINE_PLAN = 'OfflineMemoryAllocation'

/** By number. Those without a size ("string", "resource", "variant") hold things that lie elsewhere. */
export const dataTypes: readonly string[] = [
  'float32',
  'float16',
  'int32',
  'uint8',
  'int64',
  'string',
  'bool',
  'int16',
  'complex64',
  'int8',
  'float64',
  'complex128',
  'uint64',
  'resource',
  'variant',
  'uint32',
  'uint16',
  'int4',
  'bfloat16',
  'int2',
  'uint4',
  'float8_e4m3fn',
  'float8_e5m2',
]

export const CUSTOM = 32

/** By code. */
export const operatorNames: readonly string[] = `
ADD AVERAGE_POOL_2D CONCATENATION CONV_2D DEPTHWISE_CONV_2D DEPTH_TO_SPACE DEQUANTIZE EMBEDDING_LOOKUP FLOOR FULLY_CONNECTED
HASHTABLE_LOOKUP L2_NORMALIZATION L2_POOL_2D LOCAL_RESPONSE_NORMALIZATION LOGISTIC LSH_PROJECTION LSTM MAX_POOL_2D MUL RELU RELU_N1_TO_1
RELU6 RESHAPE RESIZE_BILINEAR RNN SOFTMAX SPACE_TO_DEPTH SVDF TANH CONCAT_EMBEDDINGS SKIP_GRAM CALL CUSTOM EMBEDDING_LOOKUP_SPARSE PAD
UNIDIRECTIONAL_SEQUENCE_RNN GATHER BATCH_TO_SPACE_ND SPACE_TO_BATCH_ND TRANSPOSE MEAN SUB DIV SQUEEZE UNIDIRECTIONAL_SEQUENCE_LSTM
STRIDED_SLICE BIDIRECTIONAL_SEQUENCE_RNN EXP TOPK_V2 SPLIT LOG_SOFTMAX DELEGATE BIDIRECTIONAL_SEQUENCE_LSTM CAST PRELU MAXIMUM ARG_MAX
MINIMUM LESS NEG PADV2 GREATER GREATER_EQUAL LESS_EQUAL SELECT SLICE SIN TRANSPOSE_CONV SPARSE_TO_DENSE TILE EXPAND_DIMS EQUAL NOT_EQUAL
LOG SUM SQRT RSQRT SHAPE POW ARG_MIN FAKE_QUANT REDUCE_PROD REDUCE_MAX PACK LOGICAL_OR ONE_HOT LOGICAL_AND LOGICAL_NOT UNPACK REDUCE_MIN
FLOOR_DIV REDUCE_ANY SQUARE ZEROS_LIKE FILL FLOOR_MOD RANGE RESIZE_NEAREST_NEIGHBOR LEAKY_RELU SQUARED_DIFFERENCE MIRROR_PAD ABS SPLIT_V
UNIQUE CEIL REVERSE_V2 ADD_N GATHER_ND COS WHERE RANK ELU REVERSE_SEQUENCE MATRIX_DIAG QUANTIZE MATRIX_SET_DIAG ROUND HARD_SWISH IF
WHILE NON_MAX_SUPPRESSION_V4 NON_MAX_SUPPRESSION_V5 SCATTER_ND SELECT_V2 DENSIFY SEGMENT_SUM BATCH_MATMUL
PLACEHOLDER_FOR_GREATER_OP_CODES CUMSUM CALL_ONCE BROADCAST_TO RFFT2D CONV_3D IMAG REAL COMPLEX_ABS HASHTABLE HASHTABLE_FIND
HASHTABLE_IMPORT HASHTABLE_SIZE REDUCE_ALL CONV_3D_TRANSPOSE VAR_HANDLE READ_VARIABLE ASSIGN_VARIABLE BROADCAST_ARGS
RANDOM_STANDARD_NORMAL BUCKETIZE RANDOM_UNIFORM MULTINOMIAL GELU DYNAMIC_UPDATE_SLICE RELU_0_TO_1 UNSORTED_SEGMENT_PROD
UNSORTED_SEGMENT_MAX UNSORTED_SEGMENT_SUM ATAN2 UNSORTED_SEGMENT_MIN SIGN BITCAST BITWISE_XOR RIGHT_SHIFT STABLEHLO_LOGISTIC
STABLEHLO_ADD STABLEHLO_DIVIDE STABLEHLO_MULTIPLY STABLEHLO_MAXIMUM STABLEHLO_RESHAPE STABLEHLO_CLAMP STABLEHLO_CONCATENATE
STABLEHLO_BROADCAST_IN_DIM STABLEHLO_CONVOLUTION STABLEHLO_SLICE STABLEHLO_CUSTOM_CALL STABLEHLO_REDUCE STABLEHLO_ABS STABLEHLO_AND
STABLEHLO_COSINE STABLEHLO_EXPONENTIAL STABLEHLO_FLOOR STABLEHLO_LOG STABLEHLO_MINIMUM STABLEHLO_NEGATE STABLEHLO_OR STABLEHLO_POWER
STABLEHLO_REMAINDER STABLEHLO_RSQRT STABLEHLO_SELECT STABLEHLO_SUBTRACT STABLEHLO_TANH STABLEHLO_SCATTER STABLEHLO_COMPARE
STABLEHLO_CONVERT STABLEHLO_DYNAMIC_SLICE STABLEHLO_DYNAMIC_UPDATE_SLICE STABLEHLO_PAD STABLEHLO_IOTA STABLEHLO_DOT_GENERAL
STABLEHLO_REDUCE_WINDOW STABLEHLO_SORT STABLEHLO_WHILE STABLEHLO_GATHER STABLEHLO_TRANSPOSE DILATE STABLEHLO_RNG_BIT_GENERATOR
REDUCE_WINDOW STABLEHLO_COMPOSITE STABLEHLO_SHIFT_LEFT STABLEHLO_CBRT STABLEHLO_CASE
`
  .trim()
  .split(/\s+/)

/** Slots of the options in which an operator names the subgraphs that it runs, in the order in which TFLite Micro plans them. */
export const callees: Readonly<Record<string, readonly number[]>> = { IF: [0, 1], WHILE: [0, 1], CALL_ONCE: [0] }
