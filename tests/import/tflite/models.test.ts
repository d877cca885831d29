/** What the official runtimes say of models that packages carry; the figures were read from them (pip install tflite-micro ai-edge-litert). */
import { describe, expect, it } from 'vitest'
import { modelOf, openWakeWord, type Package, wakeWords } from '../package_models'
import { readGraph, refusal } from '../read'

/** Says why it is left out where the package is not to be had. */
function withModel(title: string, from: Package, path: string, test: (model: Uint8Array) => void): void {
  it(title, { timeout: 240_000 }, ({ skip }) => {
    const model = modelOf(from, path)
    if (model === null) skip(`the ${from.registry} package ${from.name} is not to be had here`)
    else test(model)
  })
}

describe('models with resource variables', () => {
  // what TFLite Micro's allocator hands to its planner: NonPersistentMemoryPlannerShim's AddBuffer is called so often
  withModel(
    'okay_nabu asks nothing and has 52 buffers in the arena',
    wakeWords,
    'pymicro_wakeword/models/okay_nabu.tflite',
    (model) => {
      const { tflite, notes } = readGraph(model)
      expect(tflite!.arena).toHaveLength(52)
      expect(notes).toEqual([])
    },
  )
  withModel('alexa asks nothing and has 33', wakeWords, 'pymicro_wakeword/models/alexa.tflite', (model) => {
    expect(readGraph(model).tflite!.arena).toHaveLength(33)
  })
})

describe('models with open sides', () => {
  const name = 'serving_default_input:0'
  withModel(
    'melspectrogram has the shapes of LiteRT at 12,640 samples',
    openWakeWord,
    'package/models/melspectrogram.tflite',
    (model) => {
      expect(refusal(model).questions).toEqual([
        { kind: 'dim', name: 'batch', text: `Side 0 of ${name} is open. How long is it?`, suggestion: 1 },
        { kind: 'dim', name: 'dim1', text: `Side 1 of ${name} is open. How long is it?` },
      ])
      const { graph } = readGraph(model, { dims: { batch: 1, dim1: 12640 } })
      const shapeOf = (id: string) => graph.tensors.find((tensor) => tensor.id === id)?.shape
      expect(shapeOf('convolution_11')).toEqual([1, 1, 76, 257])
      expect(graph.tensors.find(({ kind }) => kind.output)?.shape).toEqual([1, 1, 76, 32])
      // three of these are alive at once: 234,384 bytes
      expect(Math.max(...graph.tensors.filter(({ kind }) => !kind.constant).map(({ bytes }) => bytes))).toBe(78128)
    },
  )
})
