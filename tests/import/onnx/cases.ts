/** Operators with the shapes of their outputs, worked out by hand from the operators' descriptions. */
import {
  type Attr,
  BOOL,
  FLOAT,
  FLOAT16,
  INT8,
  INT32,
  INT64,
  type ModelSpec,
  type Stored,
  UINT8,
  type ValueSpec,
} from './writer'

export interface Case {
  op: string
  opset: number
  inputs: readonly string[]
  attrs: Readonly<Record<string, Attr>>
  /** of the outputs, or what the refusal says */
  out: readonly string[] | RegExp
  domain: string
}

/**
 * An operator with its opset; its inputs: [2,3] of floats, int8[2,3], =[2,3] a constant list, =5 a constant, =float[0,1] a constant list of
 * floats, - an omitted one; its outputs in the same way, or a part of the refusal.
 */
function row(
  op: string,
  inputs: string,
  out: string | RegExp,
  attrs: Readonly<Record<string, Attr>> = {},
  domain = '',
): Case {
  const [type, opset] = op.split('-') as [string, string]
  const words = (text: string): string[] => text.split(' ').filter((word) => word !== '')
  return {
    op: type,
    opset: Number(opset),
    inputs: words(inputs),
    attrs,
    out: typeof out === 'string' ? words(out) : out,
    domain,
  }
}

const microsoft = 'com.microsoft'

export const cases: readonly Case[] = [
  row('Conv-11', '[1,3,224,224] [64,3,7,7]', '[1,64,112,112]', { strides: [2, 2], pads: [3, 3, 3, 3] }),
  row('Conv-11', '[1,3,224,224] [8,3,3,3]', '[1,8,222,222]'),
  row('Conv-11', '[1,3,224,224] [8,3,3,3] [8]', '[1,8,224,224]', { pads: [1, 1, 1, 1] }),
  row('Conv-11', '[1,3,224,224] [8,3,3,3]', '[1,8,220,220]', { dilations: [2, 2] }),
  row('Conv-11', '[1,3,224,224] [8,3,3,3]', '[1,8,224,224]', { dilations: [2, 2], pads: [2, 2, 2, 2] }),
  row('Conv-11', '[1,32,10,10] [32,1,3,3]', '[1,32,8,8]', { group: 32 }),
  row('Conv-11', '[2,8,10,10] [12,4,1,1]', '[2,12,10,10]', { group: 2 }),
  row('Conv-11', '[1,3,5,5] [1,3,3,3]', '[1,1,3,3]', { auto_pad: 'SAME_UPPER', strides: [2, 2] }),
  row('Conv-11', '[1,3,5,5] [1,3,2,2]', '[1,1,5,5]', { auto_pad: 'SAME_LOWER' }),
  row('Conv-11', '[1,3,5,5] [1,3,3,3]', '[1,1,2,2]', { auto_pad: 'VALID', strides: [2, 2] }),
  row('Conv-11', '[1,3,9,7] [4,3,3,1]', '[1,4,5,4]', { strides: [2, 2], pads: [1, 0, 1, 0] }),
  row('Conv-11', '[1,3,9,7] [4,3,3,3]', '[1,4,8,7]', { pads: [0, 1, 1, 1] }),
  row('Conv-11', '[1,3,20] [4,3,5]', '[1,4,16]'),
  row('Conv-11', '[1,3,16,112,112] [64,3,1,7,7]', '[1,64,16,56,56]', { strides: [1, 2, 2], pads: [0, 3, 3, 0, 3, 3] }),
  row('Conv-11', '[1,32,5,5] [64,64,3,3]', /“y0”: the weight has 64 input channels, its input 32\./),
  row('Conv-11', '[1,3,2,2] [1,3,3,3]', /its window spans 3 along spatial axis 0, but the padded input only has 2/),
  row('Conv-11', '[1,3,5,5] [4,3,3,3]', /kernel_shape is \[5, 5\]/, { kernel_shape: [5, 5] }),
  row('Conv-11', '[1,4,5,5] [3,2,3,3]', /3 output channels do not divide into 2 groups/, { group: 2 }),
  row('Conv-11', '[1,3,5,5] [4,3,3,3] [5]', /the bias has the shape \[5\], but there are 4 output channels/),
  row('Conv-11', '[1,3,5,5] [4,3,3,3]', /strides has 1 numbers/, { strides: [2] }),
  row('Conv-11', '[1,3,5,5] [4,3,3,3]', /strides is \[0, 1\], but should be positive/, { strides: [0, 1] }),
  row('ConvInteger-10', 'uint8[1,3,5,5] uint8[4,3,3,3]', 'int32[1,4,3,3]'),
  row('QLinearConv-10', 'uint8[1,3,5,5] [] uint8[] int8[4,3,3,3] [] int8[] [] uint8[]', 'uint8[1,4,5,5]', {
    pads: [1, 1, 1, 1],
  }),
  row('ConvTranspose-11', '[1,16,8,8] [16,4,2,2]', '[1,4,16,16]', { strides: [2, 2] }),
  row('ConvTranspose-11', '[1,16,8,8] [16,4,3,3]', '[1,4,16,16]', {
    strides: [2, 2],
    pads: [1, 1, 1, 1],
    output_padding: [1, 1],
  }),
  row('ConvTranspose-11', '[1,16,8,8] [16,4,3,3]', '[1,4,12,12]', { dilations: [2, 2] }),
  row('ConvTranspose-11', '[1,16,8,8] [16,4,3,3]', '[1,8,10,10]', { group: 2 }),
  row('ConvTranspose-11', '[1,16,8,8] [16,4,3,3]', '[1,4,16,16]', { strides: [2, 2], auto_pad: 'SAME_UPPER' }),
  row('ConvTranspose-11', '[1,16,8,8] [16,4,1,3]', '[1,4,22,24]', { strides: [3, 3], auto_pad: 'SAME_UPPER' }),
  row('ConvTranspose-11', '[1,16,8,8] [16,4,3,3]', '[1,4,17,15]', { strides: [2, 2], output_shape: [17, 15] }),
  row('ConvTranspose-11', '[1,16,4] [16,4,3]', '[1,4,11]', { strides: [2], output_padding: [2] }),
  row('ConvTranspose-11', '[1,16,8,8] [8,4,3,3]', /the weight has 8 input channels, its input 16/),
  row('MaxPool-12', '[1,64,112,112]', '[1,64,56,56]', { kernel_shape: [3, 3], strides: [2, 2], pads: [1, 1, 1, 1] }),
  row('MaxPool-12', '[1,64,111,111]', '[1,64,55,55]', { kernel_shape: [3, 3], strides: [2, 2] }),
  row('MaxPool-12', '[1,64,112,112]', '[1,64,55,55]', { kernel_shape: [3, 3], strides: [2, 2] }),
  row('MaxPool-12', '[1,64,112,112]', '[1,64,56,56]', { kernel_shape: [3, 3], strides: [2, 2], ceil_mode: 1 }),
  row('MaxPool-12', '[1,1,5,5]', '[1,1,3,3]', { kernel_shape: [1, 1], strides: [2, 2], ceil_mode: 1 }),
  // no window begins past the input: what runtimes always did, and the official inference does since opset 22
  row('MaxPool-22', '[1,1,4,4]', '[1,1,2,2]', { kernel_shape: [1, 1], strides: [2, 2], ceil_mode: 1 }),
  row('MaxPool-12', '[1,1,4,4]', '[1,1,3,3]', {
    kernel_shape: [2, 2],
    strides: [2, 2],
    pads: [1, 1, 1, 1],
    ceil_mode: 1,
  }),
  row('MaxPool-12', '[1,1,10,10]', '[1,1,6,6]', { kernel_shape: [3, 3], dilations: [2, 2] }),
  row('MaxPool-12', '[1,1,7,7]', '[1,1,4,4]', { kernel_shape: [2, 2], strides: [2, 2], auto_pad: 'SAME_UPPER' }),
  row('MaxPool-12', '[1,1,7,7]', '[1,1,3,3]', { kernel_shape: [2, 2], strides: [2, 2], auto_pad: 'VALID' }),
  row('MaxPool-12', '[1,2,9]', '[1,2,4]', { kernel_shape: [3], strides: [2] }),
  row('MaxPool-12', '[1,2,9,9]', /kernel_shape is missing/),
  row('AveragePool-11', '[1,2,8,8]', '[1,2,8,8]', { kernel_shape: [3, 3], pads: [1, 1, 1, 1], count_include_pad: 1 }),
  row('AveragePool-19', '[1,2,8,8]', '[1,2,4,4]', { kernel_shape: [3, 3], dilations: [2, 2] }),
  row('AveragePool-11', '[1,2,8,8]', '[1,2,4,4]', { kernel_shape: [3, 3], strides: [2, 2], ceil_mode: 1 }),
  row('LpPool-18', '[1,2,8,8]', '[1,2,7,7]', { kernel_shape: [2, 2] }),
  row('GlobalAveragePool-1', '[2,64,7,5]', '[2,64,1,1]'),
  row('GlobalMaxPool-1', '[2,64,7]', '[2,64,1]'),
  row('MaxUnpool-11', '[1,1,2,2] int64[1,1,2,2]', '[1,1,4,4]', { kernel_shape: [2, 2], strides: [2, 2] }),
  row('MaxRoiPool-1', '[1,8,32,32] [5,5]', '[5,8,7,7]', { pooled_shape: [7, 7] }),
  row('RoiAlign-16', '[1,8,32,32] [5,4] int64[5]', '[5,8,3,2]', { output_height: 3, output_width: 2 }),
  row('Col2Im-18', '[1,18,25] =[5,5] =[3,3]', '[1,2,5,5]', { pads: [1, 1, 1, 1] }),
  row('DeformConv-19', '[1,4,5,5] [6,4,3,3] [1,18,3,3]', '[1,6,3,3]'),
  row('DepthToSpace-13', '[1,12,4,5]', '[1,3,8,10]', { blocksize: 2 }),
  row('SpaceToDepth-13', '[1,3,8,10]', '[1,12,4,5]', { blocksize: 2 }),
  row('DepthToSpace-13', '[1,13,4,5]', /does not divide into blocks of 2/, { blocksize: 2 }),
  row('Relu-14', '[2,3]', '[2,3]'),
  row('Clip-6', '[2,3]', '[2,3]', { min: { f: 0 }, max: { f: 6 } }),
  row('Clip-13', '[2,3] =float[0] -', '[2,3]'),
  row('Sigmoid-13', '[]', '[]'),
  row('PRelu-16', '[1,3,4,4] [3,1,1]', '[1,3,4,4]'),
  row('PRelu-16', '[1,3,4,4] [5]', /do not go together/),
  row('PRelu-16', '[1,4,4] [3,1,1]', /the slope 3 × 1 × 1 does not fit the input 1 × 4 × 4/),
  row('Add-14', '[2,3] [2,3]', '[2,3]'),
  row('Add-14', '[2,3,4] [4]', '[2,3,4]'),
  row('Add-14', '[1,4] [3,1]', '[3,4]'),
  row('Mul-14', '[] [5]', '[5]'),
  row('Mul-14', '[0,3] [1,1]', '[0,3]'),
  row('Sub-14', '[2,3] [2,4]', /the shapes \[2, 3\] and \[2, 4\] do not go together/),
  row('Add-6', '[2,3,4,5] [3,4]', '[2,3,4,5]', { broadcast: 1, axis: 1 }),
  row('Equal-13', '[2,1] [1,3]', 'bool[2,3]'),
  row('And-7', 'bool[2,1] bool[3]', 'bool[2,3]'),
  row('Not-1', 'bool[2,1]', 'bool[2,1]'),
  row('Where-16', 'bool[4,1] [1,5] []', '[4,5]'),
  row('Max-13', '[2,1,4] [3,1] [1]', '[2,3,4]'),
  row('Mean-13', '[2,1] [1,3]', '[2,3]'),
  row('Pow-15', '[2,3] int64[]', '[2,3]'),
  row('Cast-13', '[2,3]', 'float16[2,3]', { to: 10 }),
  row('CastLike-15', '[2,3] int8[1]', 'int8[2,3]'),
  row('IsNaN-13', '[2,3]', 'bool[2,3]'),
  row('Dropout-13', '[2,3] [] -', '[2,3] bool[2,3]'),
  row('Softmax-13', '[2,3]', '[2,3]', { axis: -1 }),
  row('CumSum-14', '[2,3] =1', '[2,3]'),
  row('Trilu-14', '[4,4]', '[4,4]'),
  row('EyeLike-9', '[4,4]', 'int64[4,4]', { dtype: 7 }),
  row('Gelu-20', '[4,4]', '[4,4]'),
  row('BitShift-11', 'uint8[3] uint8[2,1]', 'uint8[2,3]', { direction: 'LEFT' }),
  row('MatMul-13', '[2,3] [3,4]', '[2,4]'),
  row('MatMul-13', '[8,12,197,64] [8,12,64,197]', '[8,12,197,197]'),
  row('MatMul-13', '[5,1,2,3] [4,3,6]', '[5,4,2,6]'),
  row('MatMul-13', '[3] [3,4]', '[4]'),
  row('MatMul-13', '[2,3] [3]', '[2]'),
  row('MatMul-13', '[3] [3]', '[]'),
  row('MatMul-13', '[7,2,3] [3]', '[7,2]'),
  row('MatMul-13', '[2,3] [4,5]', /do not go together: 3 columns, 4 rows/),
  row('MatMulInteger-10', 'uint8[2,3] uint8[3,4]', 'int32[2,4]'),
  row('QLinearMatMul-21', 'uint8[2,3] [] uint8[] int8[3,4] [] int8[] [] uint8[]', 'uint8[2,4]'),
  row('Gemm-13', '[2,3] [3,4] [4]', '[2,4]'),
  row('Gemm-13', '[3,2] [4,3]', '[2,4]', { transA: 1, transB: 1 }),
  row('Gemm-13', '[2,3] [3,4] [5]', /do not go together/),
  row('Gemm-13', '[2,3] [4,3]', /3 columns, 4 rows/),
  row('Einsum-12', '[2,3] [3,4]', '[2,4]', { equation: 'ij,jk->ik' }),
  row('Einsum-12', '[2,3] [3,4]', '[2,4]', { equation: 'ij,jk' }),
  row('Einsum-12', '[8,197,12,64] [8,197,12,64]', '[8,12,197,197]', { equation: 'bqhd, bkhd -> bhqk' }),
  row('Einsum-12', '[5,2,3]', '[5,3,2]', { equation: '...ij->...ji' }),
  row('Einsum-12', '[3,3]', '[3]', { equation: 'ii->i' }),
  row('Einsum-12', '[2,3] [4,5]', /“j” of its equation is both 3 and 4/, { equation: 'ij,jk->ik' }),
  row('Reshape-14', '[2,3,4] =[6,4]', '[6,4]'),
  row('Reshape-14', '[2,3,4] =[-1]', '[24]'),
  row('Reshape-14', '[2,3,4] =[0,-1]', '[2,12]'),
  row('Reshape-14', '[2,3,4] =[0,0,2,2]', '[2,3,2,2]'),
  row('Reshape-14', '[2,3,4] =[-1,0]', '[8,3]'),
  row('Reshape-14', '[0,3] =[3,0]', '[3,0]', { allowzero: 1 }),
  row('Reshape-14', '[1] =[]', '[]'),
  row('Reshape-1', '[2,3,4]', '[4,6]', { shape: [4, -1] }),
  row('Reshape-14', '[2,3] =[-1,4]', /6 elements do not divide into \[-1, 4\]/),
  row('Reshape-14', '[2,3] =[5]', /has 6 elements, the target shape \[5\] has 5/),
  row('Reshape-14', '[2,3] =[-1,-1]', /the target shape \[-1, -1\] is not one/),
  row('Reshape-14', '[6] =[2,0]', /copies dimension 1/),
  row('Flatten-13', '[2,3,4,5]', '[2,60]'),
  row('Flatten-13', '[2,3,4,5]', '[1,120]', { axis: 0 }),
  row('Flatten-13', '[2,3,4,5]', '[24,5]', { axis: -1 }),
  row('Squeeze-11', '[1,3,1,5]', '[3,5]'),
  row('Squeeze-11', '[1,3,1,5]', '[1,3,5]', { axes: [2] }),
  row('Squeeze-13', '[1,3,1,5] =[0,-2]', '[3,5]'),
  row('Squeeze-13', '[1,3,1,5] =[1]', /dimension 1 of \[1, 3, 1, 5\] is not 1/),
  row('Unsqueeze-11', '[3,4]', '[1,3,4,1]', { axes: [0, 3] }),
  row('Unsqueeze-13', '[3,4] =[1,-1]', '[3,1,4,1]'),
  row('Unsqueeze-13', '[3,4] =[0,0]', /an axis is named twice/),
  row('Transpose-13', '[2,3,4]', '[4,3,2]'),
  row('Transpose-13', '[2,3,4,5]', '[2,4,5,3]', { perm: [0, 2, 3, 1] }),
  row('Transpose-13', '[2,3]', /perm \[0\] does not fit/, { perm: [0] }),
  row('Expand-13', '[3,1] =[2,1,6]', '[2,3,6]'),
  row('Expand-13', '[3,4] =[1]', '[3,4]'),
  row('Tile-13', '[2,3] =[2,4]', '[4,12]'),
  row('Tile-13', '[2,3] =[2]', /repeats \[2\] do not fit/),
  row('Shape-13', '[2,3,4]', 'int64[3]'),
  row('Shape-15', '[2,3,4]', 'int64[1]', { start: -2, end: -1 }),
  row('Size-13', '[2,3,4]', 'int64[]'),
  row('Identity-16', '[2,3]', '[2,3]'),
  row('Concat-13', '[1,3,4] [1,5,4]', '[1,8,4]', { axis: 1 }),
  row('Concat-13', '[1,3] [1,5] [1,7]', '[1,15]', { axis: -1 }),
  row('Concat-13', '[1,3] [2,5]', /cannot be joined/, { axis: 1 }),
  row('Concat-13', '[1,3]', /axis 2 is none of a tensor of 2 dimensions/, { axis: 2 }),
  row('Split-11', '[6,4]', '[2,4] [2,4] [2,4]'),
  row('Split-11', '[6,4]', '[5,4] [1,4]', { split: [5, 1] }),
  row('Split-13', '[6,4] =[1,3]', '[6,1] [6,3]', { axis: 1 }),
  row('Split-18', '[7,4]', '[3,4] [3,4] [1,4]', { num_outputs: 3 }),
  row('Split-13', '[7,4]', /7 does not divide into 2 equal parts/),
  row('Split-13', '[6,4] =[1,3]', /does not divide 6 among 2 outputs/),
  row('Slice-9', '[20,10,5]', '[3,10,5]', { starts: [0], ends: [3], axes: [0] }),
  row('Slice-13', '[20,10,5] =[0,0] =[3,10] =[0,1]', '[3,10,5]'),
  row('Slice-13', '[20,10,5] =[1] =[1000] =[1]', '[20,9,5]'),
  row('Slice-13', '[20,10,5] =[0] =[-1] =[1]', '[20,9,5]'),
  row('Slice-13', '[20,10,5] =[1000] =[1000] =[1]', '[20,0,5]'),
  row('Slice-13', '[20,10,5] =[20,10,4] =[0,0,1] =[0,1,2] =[-1,-3,-2]', '[19,3,2]'),
  row('Slice-13', '[20] =[-1] =[least] =[0] =[-1]', '[20]'),
  row('Slice-13', '[20] =[0] =[most] =[0] =[3]', '[7]'),
  row('Slice-13', '[20,10] =[2,3] =[5,9] - =[1,2]', '[3,3]'),
  row('Slice-13', '[20] =[0] =[5] =[0] =[0]', /a step is 0/),
  row('Gather-13', '[1000,64] int64[2,7]', '[2,7,64]'),
  row('Gather-13', '[3,4,5] int64[]', '[3,5]', { axis: 1 }),
  row('Gather-13', '[3,4,5] int64[2]', '[3,4,2]', { axis: -1 }),
  row('GatherElements-13', '[3,4] int64[2,4]', '[2,4]'),
  row('GatherND-13', '[2,3,4] int64[5,2]', '[5,4]'),
  row('GatherND-13', '[2,3,4] int64[2,1]', '[2,4]', { batch_dims: 1 }),
  row('ScatterND-16', '[8,4] int64[2,1] [2,4]', '[8,4]'),
  row('ScatterElements-16', '[8,4] int64[2,4] [2,4]', '[8,4]'),
  row('Pad-2', '[1,3,4,5]', '[1,3,6,9]', { pads: [0, 0, 1, 2, 0, 0, 1, 2] }),
  row('Pad-13', '[3,4] =[1,0,2,-1]', '[6,3]'),
  row('Pad-18', '[3,4,5] =[1,2] - =[-1]', '[3,4,8]'),
  row('Pad-13', '[3,4] =[1,1]', /pads has 2 numbers for 2 axes/),
  row('OneHot-11', 'int64[2,3] =10 =float[0,1]', '[2,3,10]'),
  row('OneHot-11', 'int64[2,3] =10 =float[0,1]', '[2,10,3]', { axis: 1 }),
  row('TopK-11', '[2,10] =[3]', '[2,3] int64[2,3]'),
  row('TopK-1', '[8,10]', '[4,10] int64[4,10]', { k: 4, axis: 0 }),
  row('TopK-11', '[2,10] =[30]', /the top 30 of 10 are wanted/),
  row('CenterCropPad-18', '[20,10,3] =[10,9]', '[10,9,3]', { axes: [0, 1] }),
  row('GridSample-16', '[1,3,8,8] [1,5,6,2]', '[1,3,5,6]'),
  row('AffineGrid-20', '[2,2,3] =[2,3,5,6]', '[2,5,6,2]'),
  row('Det-11', '[4,3,3]', '[4]'),
  row('ReverseSequence-10', '[4,3] int64[3]', '[4,3]'),
  row('NonMaxSuppression-11', '[1,6,4] [1,2,6]', 'int64[0,3]'),
  row('ReduceMean-13', '[2,3,4]', '[1,1,1]'),
  row('ReduceMean-13', '[2,3,4]', '[2,1,4]', { axes: [1] }),
  row('ReduceMean-13', '[2,3,4]', '[4]', { axes: [0, -2], keepdims: 0 }),
  row('ReduceMean-18', '[2,3,4] =[-1]', '[2,3,1]'),
  row('ReduceSum-13', '[2,3,4] =[0,2]', '[3]', { keepdims: 0 }),
  row('ReduceSum-13', '[2,3,4]', '[2,3,4]', { noop_with_empty_axes: 1 }),
  row('ReduceSum-11', '[2,3,4]', '[2,1,4]', { axes: [1] }),
  row('ReduceL2-18', '[2,3,4]', '[]', { keepdims: 0 }),
  row('ArgMax-13', '[2,3,4]', 'int64[2,3]', { axis: -1, keepdims: 0 }),
  row('ArgMin-13', '[2,3,4]', 'int64[1,3,4]'),
  row('ReduceMax-13', '[2,3]', /axis 2 is none of a tensor of 2 dimensions/, { axes: [2] }),
  row('NegativeLogLikelihoodLoss-13', '[3,5] int64[3]', '[3]', { reduction: 'none' }),
  row('SoftmaxCrossEntropyLoss-13', '[3,5] int64[3]', '[] [3,5]'),
  row('Resize-10', '[1,3,10,10] =float[1,1,2,2]', '[1,3,20,20]'),
  row('Resize-13', '[1,3,10,10] - =float[1,1,0.5,1.55]', '[1,3,5,15]'),
  row('Resize-13', '[1,3,10,20] - =float[1,1,1.3,1.1]', '[1,3,12,22]'),
  row('Resize-13', '[1,3,10,10] - - =[1,3,7,9]', '[1,3,7,9]'),
  row('Resize-18', '[1,3,10,10] - - =[7,9]', '[1,3,7,9]', { axes: [2, 3] }),
  row('Resize-18', '[1,3,10,20] - - =[30,30]', '[1,3,15,30]', { axes: [2, 3], keep_aspect_ratio_policy: 'not_larger' }),
  row('Resize-18', '[1,3,10,20] - - =[30,30]', '[1,3,30,60]', {
    axes: [2, 3],
    keep_aspect_ratio_policy: 'not_smaller',
  }),
  row('Resize-13', '[1,3,10,10] - =float[2,2]', /the scales \[2, 2\] do not fit/),
  row('Upsample-9', '[1,3,10,10] =float[1,1,2,3]', '[1,3,20,30]'),
  row('Upsample-7', '[1,3,10,10]', '[1,3,20,30]', { scales: { floats: [1, 1, 2, 3] } }),
  row('Constant-13', '', 'int64[2]', { value: { tensor: { dims: [2], data: [1, 2] } } }),
  row('Constant-13', '', 'int64[3]', { value_ints: [1, 2, 3] }),
  row('Constant-13', '', '[]', { value_float: { f: 2 } }),
  row('ConstantOfShape-9', '=[2,3]', '[2,3]'),
  row('ConstantOfShape-9', '=[2,3]', 'int64[2,3]', { value: { tensor: { dims: [1], data: [7] } } }),
  row('Range-11', '=0 =10 =3', 'int64[4]'),
  row('Range-11', '=10 =0 =-4', 'int64[3]'),
  row('Range-11', '=10 =0 =1', 'int64[0]'),
  row('RandomNormal-1', '', '[2,3]', { shape: [2, 3] }),
  row('Multinomial-7', '[2,10]', 'int32[2,4]', { sample_size: 4 }),
  row('HannWindow-17', '=10', '[10]'),
  row('MelWeightMatrix-17', '=8 =16 =8192 =float[0] =float[8192]', '[9,8]'),
  row('BatchNormalization-9', '[1,3,4,4] [3] [3] [3] [3]', '[1,3,4,4]'),
  row('BatchNormalization-15', '[1,3,4,4] [3] [3] [3] [3]', '[1,3,4,4] [3] [3]', { training_mode: 1 }),
  row('BatchNormalization-15', '[1,3,4,4] [4] [4] [4] [4]', /the scale has the shape \[4\], its input 3 channels/),
  row('InstanceNormalization-6', '[1,3,4,4] [3] [3]', '[1,3,4,4]'),
  row('GroupNormalization-21', '[1,4,4,4] [4] [4]', '[1,4,4,4]', { num_groups: 2 }),
  row('LayerNormalization-17', '[1,5,8] [8] [8]', '[1,5,8] [1,5,1] [1,5,1]', { axis: -1 }),
  row('LRN-13', '[1,3,4,4]', '[1,3,4,4]', { size: 5 }),
  row('QuantizeLinear-13', '[2,3] [] int8[]', 'int8[2,3]'),
  row('QuantizeLinear-13', '[2,3] []', 'uint8[2,3]'),
  row('QuantizeLinear-21', '[2,3] []', 'int8[2,3]', { output_dtype: 3 }),
  row('DequantizeLinear-13', 'int8[2,3] [] int8[]', '[2,3]'),
  row('DynamicQuantizeLinear-11', '[2,3]', 'uint8[2,3] [] uint8[]'),
  row('LSTM-14', '[5,2,10] [1,80,10] [1,80,20]', '[5,1,2,20] [1,2,20] [1,2,20]', { hidden_size: 20 }),
  row('GRU-14', '[5,2,10] [2,60,10] [2,60,20]', '[5,2,2,20] [2,2,20]', { hidden_size: 20, direction: 'bidirectional' }),
  row('RNN-14', '[2,5,10] [1,20,10] [1,20,20]', '[2,5,1,20] [2,1,20]', { hidden_size: 20, layout: 1 }),
  row('LSTM-14', '[5,2,10] [1,81,10] [1,80,20]', /the weight has the shape \[1, 81, 10\]/, { hidden_size: 20 }),
  row('DFT-17', '[1,10,1]', '[1,10,2]'),
  row('DFT-20', '[1,10,1] - =1', '[1,6,2]', { onesided: 1 }),
  row('STFT-17', '[1,128,1] =8 - =16', '[1,15,9,2]', { onesided: 1 }),
  row('Attention-23', '[2,8,4,64] [2,4,6,64] [2,4,6,32]', '[2,8,4,32]'),
  row('Attention-23', '[2,4,512] [2,6,256] [2,6,128]', '[2,4,256]', { q_num_heads: 8, kv_num_heads: 4 }),
  row('RotaryEmbedding-23', '[2,8,4,64] [2,4,32] [2,4,32]', '[2,8,4,64]'),
  row('RMSNormalization-23', '[2,4,8] [8]', '[2,4,8]'),
  row('Attention-17', '[2,7,64] [64,192] [192]', '[2,7,64]', { num_heads: 8 }, microsoft),
  row('MultiHeadAttention-17', '[2,7,64] [2,9,64] [2,9,32]', '[2,7,32]', { num_heads: 8 }, microsoft),
  row(
    'GroupQueryAttention-17',
    '[2,1,64] [2,1,16] [2,1,16] [2,2,5,8] [2,2,5,8]',
    '[2,1,64] [2,2,6,8] [2,2,6,8]',
    { num_heads: 8, kv_num_heads: 2 },
    microsoft,
  ),
  row('SkipLayerNormalization-17', '[2,7,64] [2,7,64] [64]', '[2,7,64]', {}, microsoft),
  row('EmbedLayerNormalization-17', 'int32[2,7] - [100,64] [50,64]', '[2,7,64] int32[2]', {}, microsoft),
  row('BiasGelu-17', '[2,7,64] [64]', '[2,7,64]', {}, microsoft),
  row('FusedMatMul-17', '[2,7,64] [2,9,64]', '[2,7,9]', { transB: 1 }, microsoft),
  row('MatMulNBits-17', '[2,7,64] uint8[32,2,16] [64]', '[2,7,32]', { K: 64, N: 32 }, microsoft),
  row('QLinearAdd-17', 'uint8[2,7] [] uint8[] uint8[7] [] uint8[] [] uint8[]', 'uint8[2,7]', {}, microsoft),
  row('DequantizeLinear-17', 'uint8[2,7] [] uint8[]', '[2,7]', {}, microsoft),
  row(
    'DynamicQuantizeLSTM-17',
    '[5,2,7] int8[1,7,32] int8[1,8,32] - - - - - [1] int8[1] [1] int8[1]',
    '[5,1,2,8]',
    { hidden_size: 8 },
    microsoft,
  ),
  row('DynamicQuantizeLSTM-17', '[5,2,7] int8[1,32,7] int8[1,8,32]', /but \[1, 7, 32\] is expected/, {}, microsoft),
]

const types: Readonly<Record<string, number>> = {
  '': FLOAT,
  float: FLOAT,
  float16: FLOAT16,
  uint8: UINT8,
  int8: INT8,
  int32: INT32,
  int64: INT64,
  bool: BOOL,
}

function numbers(text: string): number[] {
  // the ends of what int64 holds, or nearly
  const one = (word: string): number => (word === 'least' ? -(2 ** 63) : word === 'most' ? 2 ** 62 : Number(word))
  return text === '' ? [] : text.split(',').map(one)
}

/** An input as it is written above. */
export function inputOf(name: string, text: string): { value: ValueSpec } | { stored: Stored } {
  const [, constant, type = '', list] = /^(=?)(\w*)\[(.*)\]$/.exec(text) ?? []
  if (list === undefined) return { stored: { name, dims: [], data: [Number(text.slice(1))] } }
  const values = numbers(list)
  if (!constant) return { value: { name, type: types[type] as number, dims: values } }
  return { stored: { name, type: type ? (types[type] as number) : INT64, dims: [values.length], data: values } }
}

/** A model of this one operator: its inputs are x0, x1, …, its outputs y0, y1, … */
export function modelOf(one: Case): ModelSpec {
  const inputs: ValueSpec[] = []
  const stored: Stored[] = []
  const names = one.inputs.map((text, i) => {
    if (text === '-') return ''
    const made = inputOf(`x${i}`, text)
    if ('value' in made) inputs.push(made.value)
    else stored.push(made.stored)
    return `x${i}`
  })
  const count = one.out instanceof RegExp ? (one.op === 'Split' ? 2 : 1) : one.out.length
  const out = Array.from({ length: count }, (_, i) => `y${i}`)
  return {
    opset: one.opset,
    opsets: one.domain ? { [one.domain]: 1 } : {},
    inputs,
    stored,
    outputs: out,
    nodes: [{ op: one.op, in: names, out, attrs: one.attrs, ...(one.domain ? { domain: one.domain } : {}) }],
  }
}

export function titleOf(one: Case): string {
  return `${one.domain}${one.domain && '.'}${one.op}-${one.opset} ${one.inputs.join(' ')} ${JSON.stringify(one.attrs)}`
}

/** 'float32[2, 3]' as it is written above. */
export function written(shape: string | undefined): string {
  return (shape ?? '').replace('float32', '').replace(/ /g, '')
}
