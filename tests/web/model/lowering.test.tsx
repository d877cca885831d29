/** How a model becomes buffers: the budgets, the options, and what was noted on the way. */
import { act } from '@testing-library/preact'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { SolverOption } from '../../../wasm/client/types'
import { NO_ANSWERS, type Question } from '../../../web/src/import/imported'
import { Lowering } from '../../../web/src/panels/model/lowering'
import { PlannerLowering } from '../../../web/src/panels/model/planner_lowering'
import { imported, importing, manifest } from '../../../web/src/state/atoms'
import { manifest as known } from '../support/fake'
import { control, fireEvent, press, screen, stand, type } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'
import type { Source } from '../../../web/src/state/workbench_values'

const on = stand()

// what the actions fetch first is there
await import('../../../web/src/run/model/models')

const GRAPH = 'tensor,id,bytes\n'
const from = (lowering: Record<string, string>): Source => ({
  kind: 'model',
  name: 'net.csv',
  lowering,
  from: { kind: 'file', format: '' },
})
const ALIGNMENT: SolverOption = {
  name: 'alignment',
  type: 'int',
  title: 'Alignment',
  initial: '1',
  min: 1,
  max: 4096,
  choices: [],
  help: '',
}
const box = (name: string) => control('checkbox', name) as HTMLInputElement
const open = async (lowering: Record<string, string> = {}) => {
  await on.session.open(GRAPH, from(lowering), 'net.csv')
  on.client.lowered = []
  on.show(<Lowering />)
  document.querySelector('details')?.setAttribute('open', '')
}
const lowered = async (...times: Record<string, string>[]) => {
  await on.settle()
  expect(on.client.lowered).toEqual(times)
}

beforeEach(() => {
  act(() => manifest.set({ ...known, graphOptions: [...known.graphOptions, ALIGNMENT] }))
})

describe('the lowering of a model', () => {
  it('is done again as soon as an option changes', async () => {
    await open()
    fireEvent.click(box('In place'))
    await lowered({ inplace: 'true' })
    expect(box('In place').checked).toBe(true)
    screen.getByText('1 changed')
    fireEvent.change(control('combobox', 'Schedule'), { target: { value: 'greedy' } })
    await lowered({ inplace: 'true' }, { inplace: 'true', order: 'greedy' })
    screen.getByText('2 changed')
  })

  it('does not keep an option that is at its default again', async () => {
    await open({ inplace: 'true', order: 'greedy' })
    fireEvent.click(box('In place'))
    await lowered({ order: 'greedy' })
  })

  it('is left alone where a field is left as it was', async () => {
    await open({ order: 'greedy' })
    const field = control('textbox', 'Alignment')
    fireEvent.blur(field)
    await lowered()
    type(field, '16')
    fireEvent.blur(field)
    await lowered({ order: 'greedy', alignment: '16' })
    fireEvent.blur(field)
    await lowered({ order: 'greedy', alignment: '16' })
  })

  it('keeps the first of two changes that follow each other faster than it is done', async () => {
    await open()
    fireEvent.click(box('In place'))
    fireEvent.change(control('combobox', 'Schedule'), { target: { value: 'greedy' } })
    await on.settle()
    expect(workbench.opened.get()?.source).toEqual(from({ inplace: 'true', order: 'greedy' }))
  })

  it('that was refused can be asked for again', async () => {
    await open()
    const asked = vi.spyOn(on.client, 'openGraph').mockResolvedValueOnce({ ok: false, errors: [], total: 0 })
    const greedy = async () => {
      fireEvent.change(control('combobox', 'Schedule'), { target: { value: 'greedy' } })
      await on.settle()
    }
    await greedy()
    expect(workbench.opened.get()?.source).toEqual(from({}))
    await greedy()
    expect(asked).toHaveBeenCalledTimes(2)
    expect(workbench.opened.get()?.source).toEqual(from({ order: 'greedy' }))
  })

  it('is run again at once if that took no time before, and not if nothing was run', async () => {
    await open()
    fireEvent.click(box('In place'))
    await on.settle()
    expect(on.client.config).toBeNull()
    await act(() => on.actions.solver.run())
    on.client.config = null
    fireEvent.click(box('In place'))
    await on.settle()
    expect(on.client.config).not.toBeNull()
  })

  it('offers the three budgets as capacities, and says which is chosen', async () => {
    await open()
    act(() => {
      const now = workbench.opened.get()
      if (now?.model !== undefined)
        workbench.opened.set({ ...now, model: { ...now.model, budgets: { required: 600, half: 800, peak: 1000 } } })
    })
    for (const [name, bytes] of [
      [/^M ?R/, 600],
      [/^M ?H/, 800],
      [/^M ?P/, 1000],
    ] as const) {
      press(name)
      expect(workbench.capacity.get()).toBe(bytes)
      expect(control('button', name).getAttribute('aria-pressed')).toBe('true')
    }
    expect(control('button', /^M ?R/).getAttribute('aria-pressed')).toBe('false')
  })

  it('lists what was noted on the way', async () => {
    await open()
    expect(screen.getByText('Notes').textContent).toBe('Notes1')
    screen.getByText('1 constant stays out of the plan.')
  })

  it('offers to fold only what is at hand and lists it apart', async () => {
    await open()
    const answers = { ...NO_ANSWERS, dims: { batch: 1 } }
    const file = new File(['x'], 'net.onnx')
    const notes = ['Assumed a batch of 1.']
    const came = { text: GRAPH, file, answers, format: 'onnx', notes, plan: null, asked: [], choices: [], tflite: null }
    const offered = () => screen.queryAllByRole('checkbox', { name: /constants|batch norm/ }).length
    expect(offered()).toBe(0)
    act(() => imported.set({ ...came, switches: [] }))
    expect(offered()).toBe(0)
    act(() => imported.set({ ...came, switches: ['fuse'], text: 'of another one' }))
    expect(offered()).toBe(0)
    act(() => imported.set({ ...came, switches: ['fold'] }))
    expect(offered()).toBe(1)
    act(() => imported.set({ ...came, switches: ['fold', 'fuse'] }))
    expect(offered()).toBe(2)
    const answered = vi.spyOn(on.actions.model, 'answerImport').mockResolvedValue()
    fireEvent.click(box('Fold batch norm and activations'))
    expect(answered).toHaveBeenCalledWith({ ...answers, fuse: false })
    fireEvent.click(box('Compute constants beforehand'))
    expect(answered).toHaveBeenLastCalledWith({ ...answers, fold: false })
    expect(screen.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
      'Assumed a batch of 1.',
      '1 constant stays out of the plan.',
    ])
  })

  it('lets what was asked be answered otherwise', async () => {
    await open()
    const question: Question = { kind: 'dim', name: 'N', text: 'How large is N?', suggestion: 1 }
    const answers = { ...NO_ANSWERS, dims: { N: 4 } }
    const file = new File(['x'], 'net.onnx')
    const came = {
      text: GRAPH,
      file,
      answers,
      format: 'onnx',
      notes: [],
      plan: null,
      switches: [],
      choices: [],
      tflite: null,
    }
    act(() => imported.set({ ...came, asked: [] }))
    expect(screen.queryByRole('button', { name: /^Other sizes/ })).toBeNull()
    act(() => imported.set({ ...came, asked: [question] }))
    press(/^Other sizes/)
    await vi.waitFor(() =>
      expect(importing.get()).toMatchObject({ kind: 'asking', file, questions: [question], answers }),
    )
  })

  it('of mere buffers has notes alone, or nothing', async () => {
    const host = on.show(<Lowering />)
    expect(host.textContent).toBe('')
    const file = new File(['x'], 'vela.csv')
    const text = workbench.opened.get()?.text as string
    act(() =>
      imported.set({
        text,
        file,
        answers: NO_ANSWERS,
        format: 'vela',
        notes: ['Two rows are one.'],
        plan: null,
        switches: [],
        asked: [],
        choices: [],
        tflite: null,
      }),
    )
    expect(host.textContent).toBe('Notes1Two rows are one.')
  })
})

describe('the lowering that belongs to a planner', () => {
  it('is offered with the planner, and no more once the model is lowered so', async () => {
    await on.session.open(GRAPH, from({ order: 'greedy' }), 'net.csv')
    on.client.lowered = []
    act(() => manifest.set({ ...known, solvers: [{ ...known.solvers[0]!, id: 'tflm', title: 'TFLite Micro' }] }))
    on.show(<PlannerLowering />)
    screen.getByText(/^TFLite Micro itself gives each tensor memory of its own/)
    press('Lower the model so')
    await lowered({ alias: 'false', alignment: '16', align_by: 'size' })
    expect(screen.queryByText(/^TFLite Micro itself/)).toBeNull()
  })

  it('is none of a solver of ours', async () => {
    await on.session.open(GRAPH, from({}), 'net.csv')
    on.show(<PlannerLowering />)
    expect(document.querySelector('.hint')).toBeNull()
  })
})
