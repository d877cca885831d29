/** Reads ONNX models. */
import type { Graph, Kind, Op, Tensor } from '../graph'
import type { ImportAnswers, Imported, Progress, Switch } from '../imported'
import { Names, plainName } from '../names'
import { Refusal } from '../refusal'
import { withAxes } from '../axes'
import { sharing } from '../sharing'
import { windowsOfInputs } from '../windows'
import type { Source } from '../source'
import { nameOf } from './dtypes'
import { simplify } from './fuse'
import { inferModel } from './infer'
import { readModel } from './model'
import { notesOf } from './notes'
import type { Program, Step, Value } from './program'
import { isQuantised } from './quantised'
import { State } from './state'
import { Message, Window } from './wire'

/** Fields of ModelProto: 1, the version of the format, is written first by all writers, and the functions have the largest number. */
const VERSION_TAG = 0x08
const GRAPH = 7
const LAST_FIELD = 25

/** Whether the file has the fields of a model, a graph among them. A file that is cut off within its graph is one; nothing inside is read. */
export function isOnnx(source: Source): boolean {
  if (source.size === 0 || source.read(0, 1)[0] !== VERSION_TAG) return false
  const message = new Message(new Window(source), 0, source.size, 'the model')
  let graph = false
  try {
    while (message.next()) {
      if (message.number > LAST_FIELD) return false
      graph ||= message.number === GRAPH
    }
  } catch (error) {
    if (error instanceof Refusal) return graph || message.number === GRAPH
    throw error
  }
  return graph
}

/** Never throws on account of the file's content. progress: from 0 to 1. */
export function importOnnx(source: Source, answers: ImportAnswers, progress?: Progress): Imported {
  try {
    return read(source, answers, progress)
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, message: error.message, questions: [] }
    throw error
  }
}

function read(source: Source, answers: ImportAnswers, progress?: Progress): Imported {
  const model = readModel(new Window(source, progress))
  const state = new State(answers, model)
  const program = inferModel(state, model.graph, model.opsets)
  const questions = [...state.questions.values()]
  if (questions.some((question) => !question.optional))
    return { ok: false, message: 'The file leaves some sizes open.', questions }
  for (const value of program.outputs) value.output = true
  const switches: Switch[] = isQuantised(program) ? ['fold', 'fuse', 'qdq'] : ['fold', 'fuse']
  simplify(program, answers, (what) => state.count(what))
  progress?.(1)
  return {
    ok: true,
    graph: graphOf(model.graph.name, program),
    notes: notesOf(state.counts, state.remarks, state.idle()),
    format: 'onnx',
    switches,
    asked: [...state.asked.values()],
  }
}

function tensorOf(value: Value, names: Names): Tensor {
  const kind: Kind = {}
  if (value.input) kind.input = true
  if (value.output) kind.output = true
  if (value.constant) kind.constant = true
  const made: Tensor = { id: names.take(value.name, 'tensor'), bytes: value.bytes ?? 0, kind }
  if (value.shape) made.shape = value.shape
  const dtype = nameOf(value.dtype)
  if (dtype) made.dtype = dtype
  return made
}

function windowsOf({ reads, inputs }: Step): string {
  return windowsOfInputs(
    inputs.map((value) => ({ constant: value.constant ?? false, rank: value.shape?.length, reads: reads?.get(value) })),
  )
}

/** Inputs first, then tensors as they appear; constants that no operator reads are left out. */
function graphOf(name: string, program: Program): Graph {
  const indices = new Map<Value, number>()
  const tensors: Tensor[] = []
  const names = new Names()
  const index = (value: Value): number => {
    const known = indices.get(value)
    if (known !== undefined) return known
    tensors.push(tensorOf(value, names))
    indices.set(value, tensors.length - 1)
    return tensors.length - 1
  }
  program.inputs.forEach(index)
  const titles = new Names()
  const ops = program.steps.map((step): Op => {
    const inputs = step.inputs.map(index)
    const outputs = step.outputs.map(index)
    const type = plainName(step.type) || 'unnamed'
    const op: Op = {
      id: titles.take(step.name, type),
      type,
      inputs,
      outputs,
      ...sharing(type, inputs, outputs, tensors),
    }
    const windows = windowsOf(step)
    if (windows) op.windows = windows
    return step.workspace > 0 ? { ...op, workspace: step.workspace } : op
  })
  program.outputs.forEach(index)
  return { name, tensors: withAxes(tensors, ops, 'NCHW'), ops }
}
