/** The formats that can be opened, and where such files come from: of the page's dialog and of the documentation. */
export interface Format {
  title: string
  /** endings of its files */
  files: string
  /** what becomes of it */
  is: string
  /** a command or a line that makes one; '': users have it */
  how: string
}

export const MODELS: readonly Format[] = [
  {
    title: 'TFLite, LiteRT',
    files: '.tflite',
    is: 'The graph, planned as TFLite Micro, LiteRT, Vela or we would.',
    how: '',
  },
  { title: 'ONNX', files: '.onnx', is: 'The graph, every shape inferred; what is open is asked.', how: '' },
  {
    title: 'ExecuTorch',
    files: '.pte',
    is: 'Its planned tensors by memory, with the plan in the file.',
    how: 'program.save("model.pte")',
  },
  { title: 'Graph', files: '.csv, .json', is: 'Operators and tensors, written by a compiler of yours.', how: '' },
]

export const LOGS: readonly Format[] = [
  {
    title: 'PyTorch snapshot',
    files: '.pickle',
    is: 'Every allocation with its line of Python: how much of what was reserved is fragmentation.',
    how: 'torch.cuda.memory._record_memory_history()\n…\ntorch.cuda.memory._dump_snapshot("x.pickle")',
  },
  {
    title: 'XLA (JAX, TensorFlow)',
    files: '…-buffer-assignment.txt and …-live-range.txt',
    is: 'Its buffers and the plan it made. Both files, together or one after the other; a compile that hits a cache writes none.',
    how: 'XLA_FLAGS=--xla_dump_to=DIR',
  },
  {
    title: 'Vela',
    files: 'its output',
    is: 'Its tables of SRAM, DRAM or constants, with the addresses.',
    how: 'vela model.tflite --verbose-allocation',
  },
  {
    title: 'TFLite Micro',
    files: 'a log',
    is: 'The memory plan that a device printed.',
    how: 'interpreter.PrintMemoryPlan()',
  },
  {
    title: 'ExecuTorch trace',
    files: '.json',
    is: 'A Chrome trace of memory.',
    how: 'generate_memory_trace(…, enable_memory_offsets=True)',
  },
  {
    title: 'ONNX Runtime trace',
    files: '.json',
    is: 'A Chrome trace of memory.',
    how: 'built with --enable_memory_profile',
  },
  {
    title: 'IREE',
    files: '.mlir, .txt',
    is: 'The slices of stream.resource.pack, and where IREE puts them.',
    how: 'iree-compile --mlir-print-ir-before=iree-stream-layout-slices --mlir-print-ir-after=iree-stream-layout-slices',
  },
]

export const LISTS: readonly Format[] = [
  {
    title: 'Buffers',
    files: '.csv, .json',
    is: 'id, lower, upper, size, and more if need be; columns by their usual names.',
    how: 'id,lower,upper,size\na,0,3,4096',
  },
  { title: 'Tasks on tiles', files: '.csv', is: 'Tensors, and the parts of them that tasks read and write.', how: '' },
  { title: 'A plan', files: '.json', is: 'The buffers of a plan that was exported here, with its offsets.', how: '' },
  { title: 'A shared search', files: '.json, a link', is: 'The same search at the same step.', how: '' },
]
