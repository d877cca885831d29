/** What ONNX Runtime says of models that packages carry. */
import { describe, expect, it } from 'vitest'
import { type Made, madeOf } from './writer'
import { modelOf, type Package } from '../package_models'

type Answers = Parameters<typeof madeOf>[1]

/** Says why it is left out where the package is not to be had. */
function withModel(title: string, from: Package, path: string, test: (made: (answers: Answers) => Made) => void): void {
  it(title, { timeout: 240_000 }, ({ skip }) => {
    const model = modelOf(from, path)
    if (model === null) skip(`the ${from.registry} package ${from.name} is not to be had here`)
    else test((answers) => madeOf(model, { fuse: true, ...answers }))
  })
}

const silero: Package = { registry: 'pypi', name: 'silero-vad', version: '6.2.3' }
const SILERO = 'silero_vad/data/silero_vad.onnx'
const types = ({ graph }: Made): string[] => graph.ops.map((op) => op.type)

describe('silero_vad', () => {
  for (const samples of [512, 576])
    withModel(`opens at ${samples}, where its other branch cannot run`, silero, SILERO, (made) => {
      const dims = { 'input[0]': 1, 'input[1]': samples, 'state[1]': 1 }
      const told = made({ dims, values: { sr: [16000] } })
      expect(told.shapes).toMatchObject({ output: 'float32[1, 1]', stateN: 'float32[2, 1, 128]' })
      expect(types(told)).not.toContain('If')
      const { graph, notes } = made({ dims })
      expect(notes.join(' ')).toContain('its else_branch cannot run at these sizes, and was left out. LSTM')
      expect(graph.ops).toEqual(told.graph.ops)
    })
  withModel('at a size for both of its rates plans for both, or for the one that is told', silero, SILERO, (made) => {
    const dims = { 'input[0]': 1, 'input[1]': 256, 'state[1]': 1 }
    expect(types(made({ dims }))).toContain('If')
    expect(types(made({ dims, values: { sr: [8000] } }))).not.toContain('If')
  })
})

const ocr: Package = { registry: 'pypi', name: 'rapidocr-onnxruntime', version: '1.4.4' }

withModel(
  'ch_ppocr_cls need not be square',
  ocr,
  'rapidocr_onnxruntime/models/ch_ppocr_mobile_v2.0_cls_infer.onnx',
  (made) => {
    const { shapes } = made({ dims: { 'x[0]': 1, 'x[2]': 48, 'x[3]': 192 } })
    expect(shapes.x).toBe('float32[1, 3, 48, 192]')
    expect(Object.values(shapes)).toContain('float32[1, 8, 24, 96]')
  },
)
