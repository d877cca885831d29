/** TFLite Micro's tail by rule; its figures on 64 bits are the referee's, who reads them from the official interpreter. */
import { describe, expect, it } from 'vitest'
import { arenaNote, arenaOf } from '../../../web/src/export/tflm_arena'
import type { ImportAnswers } from '../../../web/src/import/imported'
import { fromBytes } from '../../../web/src/import/source'
import { TfliteFile } from '../../../web/src/import/tflite/file'
import { tailByRule } from '../../../web/src/import/tflite/tail'
import { modelOf, wakeWords } from '../package_models'
import { readGraph } from '../read'
import { type ModelSpec, writeTflite } from './writer'

const kept = (bytes: Uint8Array, answers: Partial<ImportAnswers> = {}) => readGraph(bytes, answers).tflite!

const float = (shape: number[], buffer = 0) => ({ shape, dtype: 'float32', buffer })

/** A convolution of 8 filters and, behind it, an operator of the type. */
const model = (type: string): Uint8Array =>
  writeTflite({
    buffers: [new Uint8Array(8 * 9 * 4).fill(1)],
    subgraphs: [
      {
        tensors: [float([1, 8, 8, 1]), float([8, 3, 3, 1], 1), float([1, 6, 6, 8]), float([1, 6, 6, 8])],
        inputs: [0],
        outputs: [3],
        ops: [
          { type: 'CONV_2D', inputs: [0, 1, -1], outputs: [2], options: { 0: { byte: 1 }, 1: 1, 2: 1 } },
          { type, inputs: [2], outputs: [3] },
        ],
      },
    ],
  } satisfies ModelSpec)

describe('the tail by rule', () => {
  it('is what the structures on a 32-bit processor take, each aligned, downwards', () => {
    // 36 + 40 + 36 for the interpreter's own, 8 and 8, 4 tensors of 12, 2 operators of 32, 28 of options: 268; data of 56 and 16 bytes and channels
    // of 32 and 32, in steps of 16 (416); an input and an output, each in a list of 4 bytes and 40 of its own
    const { kept: of } = kept(model('TANH'))
    expect(of.tail).toEqual({
      bytes: 272 + 64 + 16 + 32 + 32 + (16 + 40) + (8 + 40),
      late: 104,
      word: 4,
      by: 'rule',
    })
  })

  it('is not told where a kernel is not known, nor of kernels other than the reference ones', () => {
    expect(kept(model('ATAN2')).kept.tail).toBeNull()
    expect(kept(model('TANH'), { kernels: 'cmsis-nn-dsp' }).kept.tail).toBeNull()
  })

  it('decides with the head on the least arena that runs, whatever the plan is', () => {
    const nabu = modelOf(wakeWords, 'pymicro_wakeword/models/okay_nabu.tflite')
    if (nabu === null) return console.warn('pymicro-wakeword is not to be had: left out')
    const file = new TfliteFile(fromBytes(nabu))
    const tflite = kept(nabu, { runs: 'all' })
    const tail = tailByRule(file, file.subgraphs(), tflite.scratch.tensors.length, { word: 8, python: true })
    // bisected with the interpreter for Python on x86-64, whose head is 3,840; with any better plan it needs as much
    const inPython = { ...tflite, kept: { ...tflite.kept, tail } }
    expect([3840, 3588].map((head) => arenaOf(inPython, head))).toEqual(
      [3840, 3588].map(() => ({ bytes: 27872, tail: 22064, known: 'by rule', planned: true })),
    )
    expect(arenaNote(tflite, 3840)).toMatch(
      /^With the tail of [\d,]+ bytes that TFLite Micro and its reference kernels keep on a 32-bit processor, the least arena that runs is [\d,]+ bytes, whatever the plan/,
    )
  })
})
