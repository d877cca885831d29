/** Files of tools that plan memory: their buffers, and the plans that they made. */
import { describe, expect, it } from 'vitest'
import { Builder } from 'flatbuffers'
import { BUNDLE, BUNDLED_PROGRAM } from '../../web/src/import/executorch/schema'
import { Refusal } from '../../web/src/import/refusal'
import { unpickle, type Value } from '../../web/src/import/torch/pickle'
import { pickle, type Plain } from './pickle_writer'
import { writePte } from './pte_writer'
import { Random } from './random'
import { read, readBuffers, refusal } from './read'
import { allocation, assignment, BASE, blocks, ir, method, ranges, snapshot, trace, traced } from './samples'

const rowsOf = (csv: string) => csv.trim().split('\n')

describe('a snapshot of PyTorch', () => {
  it('becomes allocations by their events, with those from before it began', () => {
    const { csv, plan, parts, notes, format } = readBuffers(snapshot())
    expect(format).toBe('torch-snapshot')
    expect(rowsOf(csv)).toEqual([
      'id,lower,upper,size,alignment,frame',
      'freed5,0,5,512,512,before the recording',
      'block2,0,8,512,512,net.py:3 __init__',
      'a1,1,4,1024,512,net.py:12 forward',
      'a2,2,8,512,512,',
      'a6,6,8,512,512,net.py:20 backward',
    ])
    expect(plan).toEqual({
      name: 'PyTorch’s allocator',
      offsets: [0, 3072, 1024, 2048, 1024],
      // of the events only the first segment is known: before them the other one was there
      reserved: 6144,
    })
    expect(parts).toEqual(['device 0', 'device 0, only what was allocated during the recording'])
    expect(notes[1]).toBe('There before the recording began, and alive from its first event: 2 of 5 blocks.')
    expect(notes[2]).toMatch(/^The peak, 2,560 bytes at time 2, is made of net\.py:12 forward 40 %, /)
    expect(notes[3]).toMatch(
      /^Out of memory at event 7: 2,560 bytes were asked for by net\.py:30 step while 1,536 bytes were alive\. /,
    )
    expect(notes[3]).toMatch(/it was fragmentation\.$/)
  })

  it('leaves out what was there before where that is asked for', () => {
    const got = read(snapshot(), { part: 'device 0, only what was allocated during the recording' })
    expect(got).toMatchObject({ ok: true, plan: { offsets: [1024, 2048, 1024] } })
  })

  it('is read as older releases wrote it, without addresses of blocks, and without a recording', () => {
    const bare = blocks.map(({ size, state, frames }) => ({ size, state, history: [{ addr: 0, frames }] }))
    const segments: Plain[] = [{ device: 0, address: BASE, total_size: 2048, blocks: bare }]
    const alive = [
      'id,lower,upper,size,alignment,frame',
      'block0,0,1,512,512,before the recording',
      'block1,0,1,512,512,before the recording',
      'block2,0,1,512,512,net.py:3 __init__',
    ]
    for (const old of [segments, { segments }, { segments, device_traces: [[], []] }]) {
      const { csv, plan, notes } = readBuffers(pickle(old))
      expect(rowsOf(csv)).toEqual(alive)
      expect(plan?.offsets).toEqual([0, 512, 1024])
      expect(notes[1]).toMatch(/^Nothing was recorded: /)
    }
  })

  it('is read as protocols 0 and 1 write it', () => {
    const whole = readBuffers(snapshot())
    for (const protocol of [0, 1] as const) expect(readBuffers(snapshot(undefined, protocol))).toEqual(whole)
    // pickle.dumps({'segments': [], 'é\u20ac': -5, 'f': 0.5, 't': True, 'n': None}, 0)
    const letters = '(dp0\nVsegments\np1\n(lp2\nsV\u00e9\\u20ac\np3\nI-5\nsVf\np4\nF0.5\nsVt\np5\nI01\nsVn\np6\nNs.'
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0))
    expect(unpickle(bytes)).toEqual(
      new Map<Value, Value>([
        ['segments', []],
        ['é€', -5],
        ['f', 0.5],
        ['t', true],
        ['n', null],
      ]),
    )
    for (let end = 0; end < bytes.length; end++) expect(() => unpickle(bytes.slice(0, end))).toThrow(Refusal)
    const call = new TextEncoder().encode('(dp0\ncos\nsystem\n(S"true"\ntR.')
    expect(refusal(call).message).toMatch(/^file: byte 5: opcode 0x63 \(GLOBAL\) is none of plain data/)
  })

  it('passes over sets and bytes, which are data too', () => {
    const whole = snapshot()
    // {…, 'x': {1}, 'y': frozenset(), 'z': b'ab'}: each protocol has its own
    const more = [
      0x8c, 1, 0x78, 0x8f, 0x28, 0x4b, 1, 0x90, 0x73, 0x8c, 1, 0x79, 0x28, 0x91, 0x73, 0x8c, 1, 0x7a, 0x43, 2, 0x61,
      0x62, 0x73,
    ]
    expect(readBuffers(Uint8Array.of(...whole.slice(0, -1), ...more, 0x2e)).csv).toBe(readBuffers(whole).csv)
  })

  it('is data, and never more', () => {
    // what os.system would be called by
    const call = new Uint8Array([0x80, 4, 0x63, ...new TextEncoder().encode('os\nsystem\n'), 0x2e])
    expect(refusal(call).message).toMatch(/^file: byte 2: opcode 0x63 \(GLOBAL\) is none of plain data/)
    expect(refusal(pickle({ weights: [1, 2] })).message).toMatch(
      /^file: this pickle is no snapshot of PyTorch’s allocator/,
    )
    expect(refusal(pickle({ segments: [], device_traces: [[]] })).message).toMatch(/holds no allocation/)
    expect(refusal(pickle({ segments: 1, device_traces: [] })).message).toBe('file: “segments” is no list.')
    expect(refusal(snapshot([allocation('alloc', -1, 5)])).message).toMatch(
      /^file: addr of event 0 of device 0 is no whole number/,
    )
  })

  it('survives every cut and any change of a byte', () => {
    const whole = snapshot()
    for (let end = 0; end < whole.length; end += 7) expect(read(whole.slice(0, end)).ok).toBe(false)
    const next = new Random(5)
    for (let round = 0; round < 2000; round++) {
      const changed = whole.slice()
      for (let k = 0; k < 3; k++) changed[next.below(changed.length)] = next.below(256)
      const got = read(changed)
      if (!got.ok) expect(got.message).not.toBe('')
    }
  })
})

describe('a program of ExecuTorch', () => {
  it('becomes its planned tensors by memory, with the plan that is in it', () => {
    const { csv, plan, notes, format } = readBuffers(writePte([method]))
    expect(format).toBe('executorch')
    expect(rowsOf(csv)).toEqual([
      'pool,memory 1,96',
      'pool,memory 2,64',
      'id,lower,upper,size,pool,op',
      'x,0,1,64,memory 1,aten::relu.out',
      'value 2,0,3,32,memory 1,aten::relu.out',
      'value 3,1,3,32,memory 2,aten::relu.out',
      'value 6,2,3,16,memory 1,aten::cat.out',
    ])
    expect(plan).toEqual({ name: 'ExecuTorch', offsets: [0, 64, 2 ** 32, 0] })
    expect(notes[1]).toBe('The program asks for memory 1: 96 bytes, memory 2: 64 bytes.')
    expect(notes[2]).toBe('Left out, planned but never named or empty: 1.')
  })

  it('has several methods, of which one is chosen', () => {
    const other = { ...method, name: 'prefill' }
    expect(readBuffers(writePte([method, other])).parts).toEqual(['forward', 'prefill'])
    expect(read(writePte([method, other]), { part: 'prefill' })).toMatchObject({ part: 'prefill' })
  })

  it('is also read out of a bundle with test inputs; other formats are named', () => {
    const program = writePte([method])
    const b = new Builder(program.length + 64)
    const bytes = b.createByteVector(program)
    b.startObject(3)
    b.addFieldOffset(BUNDLED_PROGRAM, bytes, 0)
    b.finish(b.endObject(), BUNDLE)
    expect(readBuffers(b.asUint8Array().slice())).toEqual(readBuffers(program))
    program.set(new TextEncoder().encode('ET11'), 4)
    expect(refusal(program).message).toBe(
      'file: this is ExecuTorch’s format “ET11”, of which “ET12” and “BP08” are read.',
    )
  })

  it('says where everything is inside a delegate', () => {
    const values = [{ sizes: [4] }, { sizes: [4] }]
    const calls = [{ delegate: 'XnnpackBackend', args: [0, 1] }]
    const delegated = writePte([{ ...method, values, inputs: [0], outputs: [1], calls }])
    expect(refusal(delegated).message).toMatch(
      /^file: the method forward has no tensor that was planned ahead: everything is inside a delegate/,
    )
  })

  it('survives every cut and any change of a byte', () => {
    const whole = writePte([method])
    for (let end = 8; end < whole.length; end += 4) read(whole.slice(0, end))
    const next = new Random(6)
    for (let round = 0; round < 2000; round++) {
      const changed = whole.slice()
      for (let k = 0; k < 3; k++) changed[8 + next.below(changed.length - 8)] = next.below(256)
      read(changed)
    }
  })
})

describe('a memory trace', () => {
  it('becomes buffers by runs of steps, a memory at a time', () => {
    for (const text of [JSON.stringify({ traceEvents: trace }), JSON.stringify(trace)]) {
      const { csv, plan, parts } = readBuffers(text)
      expect(rowsOf(csv)).toEqual([
        'id,lower,upper,size,op',
        'a,0,2,64,layer.0',
        '"a~2",4,5,64,layer.0',
        'b,1,2,32,layer.0',
      ])
      expect(plan?.offsets).toEqual([0, 0, 64])
      expect(parts).toEqual(['memory 1: activations', 'memory 2'])
    }
  })

  it('may lack its end, and have texts for numbers of processes and threads', () => {
    const text = JSON.stringify(trace.map((one) => ({ ...(one as object), pid: '1' })))
    const whole = readBuffers(text)
    expect(readBuffers(JSON.stringify(trace.map((one) => ({ ...(one as object), pid: 1 })))).csv).toBe(whole.csv)
    for (const cut of [`${text.slice(0, -1)},\n`, text.slice(0, text.indexOf('"Summary"'))]) {
      const { csv, notes } = readBuffers(cut)
      expect(csv).toBe(whole.csv)
      expect(notes[1]).toBe('The trace has no end: it is read up to its last whole event.')
    }
    expect(readBuffers(`{"traceEvents":${text.slice(0, -5)}`).csv).toBe(whole.csv)
  })

  it('of ONNX Runtime shows only steps with a change, each with a summary: the next one shown is the next', () => {
    const summary = (tid: number) => ({ ...(traced('Summary', 0, 5, 1, tid) as object), ts: -10 })
    const steps = [1, 4, 9].flatMap((tid) => [traced('a', 0, 64, 1, tid), summary(tid)])
    const { csv, notes } = readBuffers(JSON.stringify([...steps, traced('b', 64, 8, 1, 4)]))
    expect(rowsOf(csv).slice(1)).toEqual(['a,1,10,64,layer.0', 'b,4,9,8,layer.0'])
    expect(notes).toHaveLength(1)
    expect(readBuffers(JSON.stringify([steps[0], steps[1]])).notes[1]).toMatch(
      /^Only one step is in it \(.*ONNX Runtime/,
    )
  })

  it('of one step says so, and not where all that is in it merely lives as long', () => {
    const alike = (tids: number[]) =>
      readBuffers(JSON.stringify(tids.flatMap((tid) => [traced('a', 0, 64, 1, tid), traced('b', 64, 8, 1, tid)])))
    expect(alike([3]).notes[1]).toBe('Only one step is in it: all are alive together.')
    expect(alike([3, 4, 5]).notes).toHaveLength(1)
  })

  it('names the event that is wrong', () => {
    expect(refusal(JSON.stringify({ traceEvents: [traced('a', 0.5, 1, 1, 0)] })).message).toBe(
      'file: ts of event 0 is no whole number that can be counted exactly. In a memory trace ts is an offset and dur a size; one of times is none.',
    )
    const node = { ...(traced('Conv_kernel_time', 5, 9, 1, 2) as object), cat: 'Node' }
    expect(refusal(JSON.stringify([node])).message).toMatch(/^file: event 0 is of “Node”: this is a trace of times/)
    expect(refusal('{"traceEvents": [{"ph": "X", ').message).toMatch(/^file: the JSON cannot be read: /)
    expect(refusal('{"traceEvents": [{"ph": "B", "name": "main"}]}').message).toMatch(/no event of the trace is memory/)
  })
})

describe('a dump of XLA', () => {
  it('is read of its two files, in either order; in place a value ends before the next', () => {
    for (const text of [`${assignment}\n${ranges}`, `${ranges}\n${assignment}`]) {
      const { csv, plan, parts } = readBuffers(text)
      expect(rowsOf(csv)).toEqual([
        'id,lower,upper,size,shape',
        'conv.1,1,3,64,"f32[16]{0}"',
        'add.2,3,6,64,"f32[16]{0}"',
        '"fusion{1}",2,5,64,"f32[16]{0}"',
        'while.3,0,9,64,"f32[16]{0}"',
      ])
      expect(plan).toEqual({ name: 'XLA', offsets: [0, 0, 64, 128], reserved: 192 })
      expect(parts).toEqual(['temporaries', 'all allocations'])
    }
    const logged = `${assignment}\n${ranges}`.replaceAll(/^/gm, 'I0000 00:00:1732.123456    1234 hlo.cc:12] ')
    expect(readBuffers(logged)).toEqual(readBuffers(`${assignment}\n${ranges}`))
    const all = read(`${assignment}\n${ranges}`, { part: 'all allocations' })
    expect(all).toMatchObject({ plan: { offsets: [0, 64, 64, 128, 192], reserved: 256 } })
  })

  it('may stand far down in a log, and hold several modules, the largest first', () => {
    const passes = 'I0000 00:00:1732.123456    1234 pass.cc:12] Running HLO pass\n'.repeat(2000)
    expect(readBuffers(`${passes}${assignment}\n${ranges}`).format).toBe('xla')
    const other = (text: string) => text.replaceAll(/(conv|add|fusion|while|body)/g, 'big_$1').replaceAll('192', '256')
    const one = readBuffers(`${assignment}\n${ranges}`)
    for (const text of [
      // as a shell puts them one behind another
      [assignment, other(assignment), ranges, other(ranges)],
      [other(ranges), ranges, assignment, other(assignment)],
      [assignment, ranges, other(assignment), other(ranges)],
    ]) {
      const all = readBuffers(text.join('\n'))
      const number = text.indexOf(other(assignment)) > text.indexOf(assignment) ? [1, 2] : [2, 1]
      expect(all.parts).toEqual([
        `module ${number[1]}, temporaries (256 bytes)`,
        `module ${number[1]}, all allocations (320 bytes)`,
        `module ${number[0]}, temporaries (192 bytes)`,
        `module ${number[0]}, all allocations (256 bytes)`,
      ])
      expect(all.csv).toBe(other(one.csv))
      expect(read(text.join('\n'), { part: all.parts?.[2] ?? '' })).toMatchObject({ csv: one.csv, plan: one.plan })
    }
    const lone = readBuffers(`${assignment}\n${ranges}\n${other(assignment)}`)
    expect(lone).toMatchObject({ csv: one.csv, parts: one.parts })
    expect(lone.notes[1]).toBe('Not read, of other modules: 1 assignments without live ranges.')
    expect(refusal(assignment.repeat(300)).message).toMatch(/more than 256 modules/)
  })

  it('of jaxlib 0.12.0.1, an FFT and a QR on the CPU: results of custom calls are values of their own', () => {
    const RANGES = `HloLiveRange (max 12):
  BufferLiveRange:
    x.1{}:0-12
    wrapped_convert{}:1-3
    fft.0{}:3-12
    copy_copy_fusion{}:2-4
    geqrf.0{}:4-6
    geqrf.0{0}:4-8
    geqrf.0{1}:4-9
    copy.10{}:7-9
    householder_product.0{}:9-10
    wrapped_copy{}:10-12
    copy_select_fusion{}:8-12
    tuple.2{}:11-12
  Live ranges at 10 (peak):
    fft.0{}: 8192 bytes (cumulative: 8192 bytes)
    copy_select_fusion{}: 4096 bytes (cumulative: 12288 bytes)
  Stack trace breakdown for peak usage: 24 576 bytes
`
    const dump = `BufferAssignment:
allocation 0: size 8192, page 0, maybe-live-out:
 value: <21 fft.0 @0> (size=8192,offset=0): c64[32,32]{1,0}
allocation 1: size 4096, page 0, maybe-live-out:
 value: <22 copy_copy_fusion @0> (size=4096,offset=0): f32[32,32]{0,1}
 value: <24 geqrf.0{0} @0> (size=4096,offset=0): f32[32,32]{0,1}
 value: <28 wrapped_copy @0> (size=4096,offset=0): f32[32,32]{1,0}
allocation 4: size 24, page 0, output shape is |(c64[32,32], f32[32,32], f32[32,32])|, maybe-live-out:
 value: <30 tuple.2{} @0> (size=24,offset=0): (c64[32,32]{1,0}, f32[32,32]{1,0}, f32[32,32]{1,0})
allocation 5: size 8256, page 0, preallocated-temp:
 value: <20 wrapped_convert @0> (size=8192,offset=64): c64[32,32]{1,0}
 value: <23 geqrf.0{} @0> (size=16,offset=0): (f32[32,32]{0,1}, f32[32]{0})
 value: <25 geqrf.0{1} @0> (size=128,offset=4160): f32[32]{0}
 value: <26 copy.10 @0> (size=4096,offset=64): f32[32,32]{0,1}
 value: <27 householder_product.0 @0> (size=4096,offset=64): f32[32,32]{0,1}

Total bytes used: 28760 (28.1KiB)
RANGES`
    const { csv, plan } = readBuffers(dump.replace('RANGES', RANGES))
    expect(rowsOf(csv).slice(1)).toEqual([
      'wrapped_convert,1,4,8192,"c64[32,32]{1,0}"',
      'geqrf.0,4,7,16,"(f32[32,32]{0,1}, f32[32]{0})"',
      '"geqrf.0{1}",4,10,128,"f32[32]{0}"',
      'copy.10,7,9,4096,"f32[32,32]{0,1}"',
      'householder_product.0,9,11,4096,"f32[32,32]{0,1}"',
    ])
    expect(plan).toEqual({ name: 'XLA', offsets: [64, 0, 4160, 64, 64], reserved: 8256 })
  })

  it('is not in the files that lie beside these two', () => {
    for (const beside of [
      'Used values:\n<1 x @0>\n positions:\n  x\n uses:\n  add.2, operand 0\n',
      'Memory Space: default (color=0)\nTotal bytes: 256 (256B)\n',
      '  cumulative_size;       size;       offset; used_by_n_values; shapes_list\n',
    ])
      expect(refusal(beside).message).toMatch(/^file: this is another file of XLA’s dump, .* drop them together/)
  })

  it('asks for the other half', () => {
    expect(refusal(assignment)).toMatchObject({
      half: 'xla',
      message: expect.stringMatching(/allocations without live ranges/),
    })
    expect(refusal(ranges)).toMatchObject({
      half: 'xla',
      message: expect.stringMatching(/live ranges without allocations/),
    })
  })

  it('names the line that is wrong', () => {
    const wrong = (from: string, to: string) => refusal(`${assignment}\n${ranges}`.replace(from, to)).message
    expect(wrong('offset=64', 'offset=640')).toBe('file: line 7: fusion reaches beyond its allocation of 192 bytes.')
    expect(wrong('add.2{}:3-5', 'add.2{}:6-5')).toMatch(/^file: line 17: add\.2 ends at time 5, before it starts at 6/)
    expect(wrong('<4 fusion{1} @0>', '<4 fusion')).toMatch(/^file: line 7: this is no whole line of a value/)
  })
})

describe('IR of IREE', () => {
  it('becomes the slices of a pack, whose intervals are inclusive', () => {
    const { csv, plan, parts } = readBuffers(ir)
    expect(rowsOf(csv)).toEqual(['id,lower,upper,size,value', 'slice0,0,2,64,"%c64"', 'slice1,1,3,128,"%c128"'])
    expect([plan, parts]).toEqual([undefined, []])
    expect(readBuffers(`${ir}${ir.replace('@f', '@g')}`).parts).toEqual(['%4 in @f', '%4 in @g'])
  })

  /** The same function once more, with constants in the places of the pack's values. */
  const used = (values: readonly string[]) => `  stream.cmd.fill %c0, %arg1[${values[1]} for %c64] : {${values[0]}}
    ro %arg1[${values[1]} for %c64], wo %arg1[${values[2]} for %c128]
}
`
  const packed = ir.replace(/}\n$/, used(['%4#0', '%4#1', '%4#2']))
  const laid = (values: readonly string[], numbers = [192, 128, 0]) =>
    `// -----// IR Dump After LayoutSlicesPass //----- //\nutil.func public @f() {\n${values.map((value, k) => `  ${value} = arith.constant ${numbers[k]} : index\n`).join('')}${used(values)}`

  it('has IREE’s own plan where the function is shown again after the pass', () => {
    const whole = `${packed}${laid(['%a', '%b', '%c0_1'])}`
    expect(readBuffers(whole).plan).toEqual({ name: 'IREE', offsets: [128, 0], reserved: 192 })
    expect(readBuffers(packed).plan).toBeUndefined()
    // another function, another number of operations, two numbers for one value
    for (const other of [
      laid(['%a', '%b', '%c']).replace('@f', '@g'),
      laid(['%a', '%b', '%c']).replace('  stream.cmd.fill', '  stream.cmd.copy\n  stream.cmd.fill'),
      laid(['%a', '%b', '%c']).replace('ro %arg1[%b', 'ro %arg1[%c'),
    ])
      expect(readBuffers(`${packed}${other}`).plan).toBeUndefined()
  })

  it('is one pack where several passes show it', () => {
    const again = `${packed}// -----// IR Dump After Other //----- //\n${packed}${laid(['%a', '%b', '%c'])}`
    expect(readBuffers(again)).toMatchObject({ parts: [], plan: { offsets: [128, 0] } })
  })

  it('says where it is cut off, and keeps what is whole', () => {
    const other = ir.replace('@f', '@g').replace(/\[0, 1\] = %c64,\n/, '$&    [2, 3] = %c64,\n')
    const cut = (behind: string) => other.slice(0, other.indexOf(behind) + behind.length)
    const note = /^The text ends at line \d+, inside of this pack: slices may be missing\.$/
    for (const end of ['[2, 3] = %c64,\n', '[2, 3] = %c64,', '[1, 2] = %c1', '[1, 2] = %c128']) {
      const { csv, notes } = readBuffers(cut(end))
      expect([rowsOf(csv).length, notes[1]]).toEqual([3, expect.stringMatching(note)])
      // neither takes from the other
      const both = readBuffers(`${cut(end)}\n${ir}`)
      expect(both.parts).toEqual(['%4 in @g', '%4 in @f'])
      expect(read(`${cut(end)}\n${ir}`, { part: '%4 in @f' })).toMatchObject({ csv: readBuffers(ir).csv })
    }
    expect(refusal(cut('slices({')).message).toBe(
      'file: line 4: the text ends inside of %4 in @g, before the first whole slice.',
    )
  })

  it('names a size that is not known', () => {
    const unknown = ir.replace('%c128 = arith', '%x = arith')
    expect(refusal(unknown).message).toMatch(/^file: line 6: %c128 is no constant/)
    // %c128 is known from there on
    const { part, notes } = readBuffers(`${unknown}${ir.replace('@f', '@g')}`)
    expect([part, notes[1]]).toEqual(['%4 in @g', expect.stringMatching(/^Not read, another pack: line 6: %c128/)])
  })
})
