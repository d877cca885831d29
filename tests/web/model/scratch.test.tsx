/** What the reader knows of a file beside what is in it: which subgraph runs, scratch by rows or from a log. */
import { act } from '@testing-library/preact'
import { describe, expect, it, vi } from 'vitest'
import { type ImportAnswers, NO_ANSWERS, type TfliteNumbers } from '../../../web/src/import/imported'
import { Lowering } from '../../../web/src/panels/model/lowering'
import { PlannerLowering } from '../../../web/src/panels/model/planner_lowering'
import { imported, manifest } from '../../../web/src/state/atoms'
import { manifest as known } from '../support/fake'
import { control, fireEvent, press, screen, stand } from '../support/stand'

const on = stand()
const GRAPH = 'tensor,id,bytes\n'
const file = new File(['x'], 'net.tflite')
const tflite: TfliteNumbers = {
  tensors: 2,
  subgraphs: 2,
  numbers: [0, 1],
  repeated: [],
  arena: [0, 1],
  scratch: { kernels: 'reference', tensors: [], unknown: ['mystery 0'] },
  kept: { variables: 0, operators: 1, inputs: 1, outputs: 1, tail: null },
}
const choices = [
  { runs: { signature: 'serve' }, name: 'serve' },
  { runs: { signature: 'encode' }, name: 'encode' },
]

async function open(answers: ImportAnswers) {
  const source = {
    kind: 'model' as const,
    name: 'net.tflite',
    lowering: {},
    from: { kind: 'file' as const, format: 'tflite' },
  }
  await on.session.open(GRAPH, source, 'net.tflite')
  const came = { text: GRAPH, file, answers, format: 'tflite', notes: [], plan: null, switches: [], asked: [] }
  act(() => imported.set({ ...came, choices, tflite }))
  on.show(<Lowering />)
  document.querySelector('details')?.setAttribute('open', '')
  return vi.spyOn(on.actions.model, 'answerImport').mockResolvedValue()
}

const type = (name: string, value: string) => fireEvent.input(control('combobox', name), { target: { value } })

describe('what runs', () => {
  it('is one of the signatures, or all', async () => {
    const answered = await open(NO_ANSWERS)
    const runs = control('combobox', 'Runs') as HTMLSelectElement
    expect([...runs.options].map(({ text }) => text)).toEqual([
      'serve',
      'encode',
      'All, as TFLite Micro allocates them',
    ])
    fireEvent.change(runs, { target: { value: '1' } })
    expect(answered).toHaveBeenLastCalledWith({ ...NO_ANSWERS, runs: { signature: 'encode' } })
    fireEvent.change(runs, { target: { value: '2' } })
    expect(answered).toHaveBeenLastCalledWith({ ...NO_ANSWERS, runs: 'all' })
  })
})

describe('the planner of TFLite Micro', () => {
  it('is offered as it reads the file, and then as it lowers it', async () => {
    const answered = await open(NO_ANSWERS)
    act(() => manifest.set({ ...known, solvers: [{ ...known.solvers[0]!, id: 'tflm', title: 'TFLite Micro' }] }))
    on.show(<PlannerLowering />)
    screen.getByText(/unpacks weights in each run, and allocates all subgraphs/)
    press('Lower the model so')
    expect(answered).toHaveBeenCalledWith({ ...NO_ANSWERS, fold: false, runs: 'all' })
    await vi.waitFor(() =>
      expect(on.client.lowered.at(-1)).toEqual({ alias: 'false', alignment: '16', align_by: 'size' }),
    )
  })
})

describe('scratch that the reader knows', () => {
  it('is added and removed row by row', async () => {
    const answers = { ...NO_ANSWERS, scratch: [{ op: 'RELU', bytes: 24 }] }
    const answered = await open(answers)
    expect((control('button', 'Add') as HTMLButtonElement).disabled).toBe(true)
    type('Operator, or kind of operator', 'mystery 0')
    fireEvent.input(control('textbox', 'Bytes of scratch'), { target: { value: '1 KiB' } })
    press('Add')
    expect(answered).toHaveBeenLastCalledWith({
      ...answers,
      scratch: [...answers.scratch, { op: 'mystery 0', bytes: 1024 }],
    })
    press('Remove the scratch of RELU')
    expect(answered).toHaveBeenLastCalledWith({ ...answers, scratch: [] })
  })

  it('is taken from a log, and the least arena is said', async () => {
    const answered = await open(NO_ANSWERS)
    screen.getByText(/The tail beside it takes at least/)
    const log = { files: [new File(['a log'], 'device.log')] }
    fireEvent.change(screen.getByLabelText('A log of TFLite Micro…', { selector: 'input' }), { target: log })
    await vi.waitFor(() => expect(answered).toHaveBeenCalledWith({ ...NO_ANSWERS, log: 'a log' }))
  })

  it('of a log can do without it again', async () => {
    const answered = await open({ ...NO_ANSWERS, log: 'a log' })
    press('Without the log')
    expect(answered).toHaveBeenCalledWith(NO_ANSWERS)
  })
})
