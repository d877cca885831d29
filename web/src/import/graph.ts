/**
 * What every importer makes of a file: tensors with their bytes, operators in the file's order. Plain data; the core takes it as graph
 * CSV (core/src/io/README.md) and lowers it to buffers.
 */

/**
 * input and output may both be set of one tensor. constant: weights and other data of the file. variable: state that outlives a run.
 * workspace: scratch of one operator.
 */
export interface Kind {
  input?: boolean
  output?: boolean
  constant?: boolean
  variable?: boolean
  workspace?: boolean
}

export interface Tensor {
  /** unique in the graph, 1 to 255 bytes of UTF-8 */
  id: string
  /** in memory, as laid out by the file's data type: ceil(elements × bits / 8) */
  bytes: number
  kind: Kind
  /** bytes, at least 1; absent: 1 */
  alignment?: number
  /** [] is a scalar; absent: unknown */
  shape?: readonly number[]
  /** 'float32', 'int8', …; absent: unknown */
  dtype?: string
  /** what the shape's dimensions are, a letter each: 'NCHW'; absent: unknown */
  axes?: string
}

export interface Op {
  /** unique in the graph, 1 to 255 bytes of UTF-8 */
  id: string
  /** 'Conv', 'ADD', …: the file's own word */
  type: string
  /** indices of tensors; an omitted optional input is left out */
  inputs: readonly number[]
  outputs: readonly number[]
  /** pairs [output, input] that may share their memory if nobody reads the input later */
  inplace?: readonly (readonly [number, number])[]
  /** pairs [output, input] that are the same bytes seen in another shape */
  alias?: readonly (readonly [number, number])[]
  /** scratch bytes needed while it runs */
  workspace?: number
  /** what of each input a part of the output needs (windows.ts makes it); absent: unknown, all of it */
  windows?: string
}

export interface Graph {
  /** of the model, '' if it has none */
  name: string
  tensors: readonly Tensor[]
  /** in the file's order, which is a schedule: producers before consumers */
  ops: readonly Op[]
}
