/** Small files of tools, one of each kind, for the tests of their readers and for the campaign that damages them. */
import { pickle, type Plain } from './pickle_writer'
import type { MethodSpec } from './pte_writer'

export const tflm = `I (312) app: planning
0 (id=0): size=96, offset=64, first_used=0 last_used=1
1 (id=1): size=64, offset=0, first_used=1 last_used=2
2 (id=2): size=16, offset=-1, first_used=-1 last_used=-1
3 (id=3): size=32, offset=64, first_used=2 last_used=3
 0: ................................000000000000000000000000000000000000000000000000 (1k)
 1: 11111111111111111111111111111111000000000000000000000000000000000000000000000000 (1k)
`

export const vela = `Network summary for net
################################################################################
Tensor Allocation for mem_area OffChipFlash, of mem_type_set (Permanent_NPU), using allocator LinearAlloc, in Npu subgraph:
Start Time -   End Time: Start Addr -   End Addr: Tensor Size: Memory Usage: Purpose     : Name
         0 -          0:        0x0 -     0x2000:        8192:         8192: Weights     : conv1_weights
Allocation Peak Tensor Size:       8192 (    0x2000) Bytes     8.00 KiB

################################################################################
Tensor Allocation for mem_area Sram, of mem_type_set (Scratch, Scratch_fast), using allocator HillClimb, in Cpu and Npu subgraph:
Start Time -   End Time: Start Addr -   End Addr: Tensor Size: Memory Usage: Purpose     : Name
         0 -          2:     0x1000 -     0x4000:       12288:        16384: FeatureMap  : input; quantised, 8 bit
         0 -          6:        0x0 -     0x1000:        4096:        16384: FeatureMap  : conv1: relu
         0 -          6:        0x0 -     0x1000:        4096:        16384: FeatureMap  : conv1_inplace
         4 -          8:     0x1000 -     0x1800:        2048:         6144: FeatureMap  : "out"
Allocation Peak Tensor Size:      16384 (    0x4000) Bytes    16.00 KiB
Allocation Peak Memory Usage:     16384 (    0x4000) Bytes    16.00 KiB
Allocation Overhead:                  0 Bytes (0.00 %)
`

/** A snapshot of PyTorch. */
const frames = (file: string, line: number, name: string): Plain => [
  { filename: '??', line: 0, name: 'c10::malloc' },
  { filename: '/venv/site-packages/torch/functional.py', line: 407, name: 'einsum' },
  { filename: `/home/me/${file}`, line, name },
  { filename: '/home/me/main.py', line: 1, name: '<module>' },
]
export const allocation = (action: string, addr: number, size: number, more: Record<string, Plain> = {}): Plain => ({
  action,
  addr,
  size,
  stream: 0,
  ...more,
})
export const BASE = 139_809_741_864_960
const events = [
  allocation('segment_alloc', BASE, 4096),
  allocation('alloc', BASE + 1024, 1024, { frames: frames('net.py', 12, 'forward') }),
  allocation('alloc', BASE + 2048, 512, { frames: [] }),
  allocation('free_requested', BASE + 1024, 1024),
  allocation('free_completed', BASE + 1024, 1024),
  allocation('free_completed', BASE, 512),
  allocation('alloc', BASE + 1024, 512, { frames: frames('net.py', 20, 'backward') }),
  allocation('oom', 0, 2560, { device_free: 0, frames: frames('net.py', 30, 'step') }),
]
export const blocks = [
  { address: BASE + 1024, size: 512, state: 'active_allocated', frames: [] },
  { address: BASE + 2048, size: 512, state: 'active_allocated', frames: [] },
  { address: BASE + 3072, size: 512, state: 'active_allocated', frames: frames('net.py', 3, '__init__') },
  { address: BASE + 3584, size: 512, state: 'inactive', frames: [] },
]
export const snapshot = (trace: Plain[] = events, protocol: 0 | 1 | 4 = 4): Uint8Array =>
  pickle(
    {
      segments: [
        { device: 0, address: BASE, total_size: 4096, blocks },
        { device: 0, address: BASE + 65536, total_size: 2048, blocks: [] },
      ],
      device_traces: [trace, []],
      allocator_settings: { x: 0.5, y: null, z: true },
    },
    protocol,
  )

/** A method of ExecuTorch. */
export const method: MethodSpec = {
  name: 'forward',
  values: [
    { sizes: [4, 4], at: { memory: 1, offset: 0 }, name: 'x' },
    { sizes: [4, 4] },
    { sizes: [8], at: { memory: 1, offset: 64 } },
    { sizes: [8], at: { memory: 2, offset: 2 ** 32 } },
    { list: [2, 3] },
    { sizes: [0], at: { memory: 1, offset: 0 } },
    { sizes: [2], type: 4, at: { memory: 1, offset: 0 } },
  ],
  inputs: [0],
  outputs: [6],
  calls: [
    { op: 'aten::relu.out', args: [0, 1, 2] },
    { op: 'aten::relu.out', args: [2, 3] },
    { op: 'aten::cat.out', args: [4, 5, 6] },
  ],
  sizes: [0, 96, 64],
}

/** The two files of a dump of XLA. */
export const assignment = `BufferAssignment:
allocation 0: size 64, page 0, parameter 0, shape |f32[16]| at ShapeIndex {}:
 value: <1 x @0> (size=64,offset=0): f32[16]{0}
allocation 1: size 192, page 0, preallocated-temp:
 value: <2 conv.1 @0> (size=64,offset=0): f32[16]{0}
 value: <3 add.2 @0> (size=64,offset=0): f32[16]{0}
 value: <4 fusion{1} @0> (size=64,offset=64): f32[16]{0}
 value: <5 while.3 (phi) @0> (size=64,offset=128): f32[16]{0}
 value: <6 body.3 @0> (size=64,offset=128): f32[16]{0}
`
export const ranges = `HloLiveRange (max 9):
  InstructionSequence:
    0:x
  BufferLiveRange:
    x{}:0-9
    conv.1{}:1-3
    add.2{}:3-5
    fusion{1}:2-4
    while.3{}:0-6
    body.3{}:4-8
`
/** Events of a memory trace. */
export const traced = (name: string, ts: number, dur: number, pid: number, tid: number): Plain => ({
  name,
  ph: 'X',
  ts,
  dur,
  pid,
  tid,
  args: { op_name: 'conv', fqn: 'layer.0' },
})
export const trace = [
  { name: 'process_name', ph: 'M', pid: 1, args: { name: 'activations' } },
  traced('a', 0, 64, 1, 0),
  traced('a', 0, 64, 1, 1),
  traced('a', 0, 64, 1, 4),
  traced('b', 64, 32, 1, 1),
  traced('w', 0, 8, 2, 0),
  { ...(traced('Summary', -10, 5, 1, 0) as object), ts: -10 },
]

/** IR of IREE. */
export const ir = `util.func public @f() {
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %4:3 = stream.resource.pack on(#hal.device.affinity<@d>) slices({
    [0, 1] = %c64,
    [1, 2] = %c128
  }) : index
}
`
