import { describe, expect, it } from 'vitest'
import { readBuffers, refusal } from './read'
import { tflm, vela } from './samples'

describe('a memory plan of TFLite Micro', () => {
  it('becomes buffers with the offsets that it has', () => {
    const { csv, plan, notes, format } = readBuffers(tflm)
    expect(format).toBe('tflm-log')
    expect(csv).toBe('id,lower,upper,size\nid0,0,2,96\nid1,1,3,64\nid3,2,4,32\n')
    expect(plan).toEqual({ name: 'TFLite Micro', offsets: [64, 0, 64] })
    expect(notes[1]).toBe('Left out, because they are never used: 1 of 4 buffers.')
  })

  it('reads the last of several, behind whatever a log puts before the lines', () => {
    const prefixed = tflm.replaceAll(/^(.*\(id)/gm, '[00:01:02] INFO $1').replaceAll('\n', '\r\n')
    const { csv, notes } = readBuffers(`${prefixed}(id=0): size=5, offset=0, first_used=3 last_used=3\n`)
    expect(csv).toBe('id,lower,upper,size\nid0,3,4,5\n')
    expect(notes.at(-1)).toBe('The log holds 2 memory plans; the last one was read.')
  })

  it('says on which line it cannot be right', () => {
    const without = tflm.replace(/^1 \(id=1\).*\n/m, '')
    expect(refusal(without).message).toBe('file: line 3: id=2, expected 1: lines of the log are missing.')
    const backwards = tflm.replace('first_used=1 last_used=2', 'first_used=3 last_used=2')
    expect(refusal(backwards).message).toBe('file: line 3: last_used=2 is before first_used=3.')
    const huge = tflm.replace('size=64', 'size=99999999999999999999')
    expect(refusal(huge).message).toMatch(/^file: line 3: .* is more than can be counted exactly\.$/)
    const unused = '(id=0): size=16, offset=-1, first_used=-1 last_used=-1\n'
    expect(refusal(unused).message).toBe('file: the memory plan has no buffer that is used.')
  })
})

describe("a table of Vela's", () => {
  it('becomes buffers, one for the tensors of a live range', () => {
    const { csv, plan, notes, format } = readBuffers(vela)
    expect(format).toBe('vela')
    expect(csv).toBe(
      'id,lower,upper,size\n"input; quantised, 8 bit",0,3,12288\nconv1: relu,0,7,4096\n"""out""",4,9,2048\n',
    )
    expect(plan).toEqual({ name: 'Vela', offsets: [4096, 0, 4096] })
    expect(notes).toEqual([
      "Read: the table of Sram. Times are Vela's own, with the end inclusive where Vela prints it so.",
      'Not read: the other tables of the text, OffChipFlash (rows: 1).',
      'Tensors that share the memory of another, and are one buffer with it: 1.',
    ])
  })

  it('is also read as its first versions printed it, with the end exclusive', () => {
    const old = `allocation for MemArea.Sram - non-constant tensors in Cpu and Npu subgraphs
    12288:       0x1000 -       0x4000:   0 -   2 input TensorPurpose.FeatureMap
     4096:          0x0 -       0x1000:   0 -   6 conv1 TensorPurpose.FeatureMap

`
    expect(readBuffers(old).csv).toBe('id,lower,upper,size\ninput,0,2,12288\nconv1,0,6,4096\n')
  })

  it('is read as version 4.5 prints it, without the format in the names', () => {
    const later = `Tensor Allocation for mem_area Sram, of mem_type_set (Scratch, Scratch_fast), using allocator HillClimb, in Cpu and Npu subgraph:
Start Time -   End Time: Start Addr -   End Addr: Tensor Size: Memory Usage: Purpose     : Format            : Name
         0 -         67:     0x1ef0 -     0x1f70:         128:         7984: FeatureMap  : NHWC              : model_1/tf.expand_dims_1/ExpandDims1
         4 -         27:        0x0 -       0x10:          16:          224: FeatureMap  : NHCWB16           : serving_default_input_audio:0
Allocation Peak Tensor Size:      19568 (    0x4c70) Bytes    19.11 KiB
`
    expect(readBuffers(later).csv).toBe(
      'id,lower,upper,size\nmodel_1/tf.expand_dims_1/ExpandDims1,0,68,128\nserving_default_input_audio:0,4,28,16\n',
    )
  })

  it('is read as version 5 prints it, which has no purposes', () => {
    const five = `Allocation, memory Sram, usage mask: FeatureMap|Staging
Start Time - End Time  : Start Addr -   End Addr: Tensor Size: Memory Usage: Format         : Name
         0 -         27:       0xf0 -      0x170:         128:         3776: NHWC           : serving_default_input_audio:0
        90 -         93:       0x40 -       0x80:          64:         3536: NHCWB16        : Relu;model_1/conv2d_11/Conv2D
Allocation Peak Tensor Size: 5808 bytes == 5.671875 KiB
################################################################################
Tensor Allocation for read-only NPU tensors:
Start Time - End Time  : Start Addr -   End Addr: Tensor Size: Memory Usage: Format         : Name
        30 -         31:        0x0 -     0x3b40:       15168:        15168: Unknown        : model_1/stream_6/conv2d_6/Conv2D
Allocation Peak Tensor Size: 46288 bytes == 45.203125 KiB
`
    const { csv, plan, notes } = readBuffers(five)
    expect(csv).toBe(
      'id,lower,upper,size\nserving_default_input_audio:0,0,28,128\n"Relu;model_1/conv2d_11/Conv2D",90,94,64\n',
    )
    expect(plan?.offsets).toEqual([240, 64])
    expect(notes[1]).toBe('Not read: the other tables of the text, constants (rows: 1).')
  })

  it('is read out of whatever a terminal, a log or a shell makes of it', () => {
    const { csv, plan } = readBuffers(vela)
    const rows = vela.split('\n')
    const utf16 = new Uint8Array(Uint16Array.from(`\ufeff${vela}`, (letter) => letter.charCodeAt(0)).buffer)
    const passes = 'Pass 1: conv2d, block = [8, 8, 16], ifm = 1x8x8x16\n'.repeat(2000)
    for (const text of [
      rows.map((row) => `\u001b[32m${row}\u001b[0m`).join('\r\n'),
      rows.map((row) => `[2026-11-26T08:00:00.123Z] INFO vela: ${row}`).join('\n'),
      rows.map((row) => `vela-1  | ${row}`).join('\n'),
      `${passes}${vela}`,
      `\ufeff${vela}`,
      utf16,
    ])
      expect(readBuffers(text)).toMatchObject({ format: 'vela', csv, plan })
  })

  it('says where the text ends inside of it', () => {
    const cut = vela.slice(0, vela.indexOf('         4 -'))
    expect(readBuffers(cut).notes).toContain('The text ends inside of this table: rows may be missing.')
    expect(readBuffers(vela).notes).toHaveLength(3)
  })

  it('is read on behind lines of others, which may have numbers of their own', () => {
    const { csv, notes } = readBuffers(vela)
    for (const other of ['web-1  | GET /health 200', '… INFO vela: pass 12 - 34 done', 'took 3: 12 ms', 'dma 7: 0x40'])
      for (const at of ['         0 -          6', '         4 -          8', 'Allocation Peak Memory']) {
        const begin = vela.lastIndexOf(at)
        expect(readBuffers(`${vela.slice(0, begin)}${other}\n${vela.slice(begin)}`)).toMatchObject({ csv, notes })
      }
    const cut = vela.slice(0, vela.indexOf('Allocation Peak Tensor Size:      16384'))
    expect(readBuffers(`${cut}took 3: 12 ms\n`).notes).toContain(
      'The text ends inside of this table: rows may be missing.',
    )
  })

  it('says where rows stand under no title', () => {
    const { csv } = readBuffers(vela)
    const header = 'Start Time -   End Time: Start Addr -   End Addr: Tensor Size: Memory Usage: Purpose     : Name\n'
    const row = '         9 -          9:        0x0 -     0x1000:        4096:         4096: FeatureMap  : late\n'
    const note = (line: number) => `Not read: rows under no title of a table, the first in line ${line}.`
    for (const [text, line] of [
      [`${vela}${row}${row}`, 18],
      [`${row}${vela}`, 1],
      [vela.replace('Allocation Peak Tensor Size:      16384', `\n${row}Allocation Peak Tensor Size: 16384`), 16],
      // a table of another kind
      [vela.replace('Allocation Peak Tensor Size:      16384', `Tensors in a new place:\n${header}${row}`), 17],
    ] as const)
      expect(readBuffers(text)).toMatchObject({ csv, notes: expect.arrayContaining([note(line)]) })
  })

  it('is looked for in time that is proportional to the text', () => {
    const titles = 'Tensor Allocation for mem_area a, of mem_type_set (\n'.repeat(40_000)
    expect(readBuffers(titles).format).toBe('csv')
    const headers = 'Start Time - End Time :'.repeat(100_000)
    const text = vela.replaceAll(/^Start Time.*\n/gm, (header) => `${header}${headers}\n`)
    expect(readBuffers(text).csv).toBe(readBuffers(vela).csv)
  })

  it('says on which line it cannot be right', () => {
    const wrong = (from: string, to: string) => refusal(vela.replace(from, to)).message
    expect(wrong('12288:        16384', '12289:        16384')).toBe(
      'file: line 11: input; quantised, 8 bit takes 12289 bytes, but its addresses are 12288 apart.',
    )
    expect(wrong('0 -          2', '3 -          1')).toMatch(
      /^file: line 11: .* ends at time 1, before it starts at 3\.$/,
    )
    expect(wrong('        4096:        16384: FeatureMap  : conv1: relu', '')).toMatch(
      /^file: line 12: this is no whole row/,
    )
    expect(refusal(vela.replaceAll(/^ +\d.*\n/gm, '')).message).toBe('file: the allocation tables have no rows.')
  })
})

describe('other texts', () => {
  it('are passed by, if they could be CSV', () => {
    const csv = 'id,lower,upper,size\na,0,1,5\n'
    expect(readBuffers(csv)).toEqual({ ok: true, csv, notes: [], format: 'csv' })
    const graph = 'tensor,a,5,input\nop,r,Relu,a,\n'
    expect(readBuffers(graph)).toMatchObject({ csv: graph, format: 'csv' })
  })

  it.each([
    ['“|”', '| id | lower | upper | size |\n|----|---|---|---|\n| a | 0 | 3 | 1,024 |\n'],
    ['“|”', 'id|start|end|bytes\na|0|3|4\n'],
    ['blanks', '# from a terminal\n\nid   lower  upper  size\na    0      3      4\n'],
  ])('and tables whose columns are separated by %s are told of it', (separator, text) => {
    expect(refusal(text).message).toBe(
      `file: the columns of this table are separated by ${separator}, expected commas, semicolons or tabs, as in “id,lower,upper,size”.`,
    )
  })

  it('and bytes of no known kind are refused', () => {
    expect(refusal('').message).toBe('file: the file is empty.')
    expect(refusal('just words').message).toMatch(/^file: this is not a TFLite, ONNX or ExecuTorch model, /)
    expect(refusal(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13])).message).toMatch(
      /^file: this is not /,
    )
  })
})

describe('files that are something else', () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n'
  it.each<[string, string | Uint8Array, RegExp]>([
    ['a Git LFS pointer', pointer, /^file: this is a pointer of Git LFS/],
    ['a web page', '\n<!DOCTYPE html>\n<html><body>404</body></html>', /^file: this is a web page/],
    ['a web page without a type', '<html lang="en">', /^file: this is a web page/],
    ['a zip archive', Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0, 0, 0), /^file: this is a zip archive .*\.task bundle/],
    ['gzip', Uint8Array.of(0x1f, 0x8b, 8, 0), /^file: this is compressed by gzip/],
    ['an empty file', '', /^file: the file is empty\.$/],
  ])('%s is named as such', (_, file, message) => {
    expect(refusal(file).message).toMatch(message)
  })
})
