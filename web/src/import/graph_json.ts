import { bitsOf, byteSize } from './dtypes'
import type { Graph, Kind, Op, Tensor } from './graph'
import { kindOf, kindText } from './kinds'
import type { ImportAnswers, Imported, Question } from './imported'
import { count, list, object, parse, shown, text } from './json_fields'
import { Names, plainName } from './names'
import { Refusal } from './refusal'
import { sharing } from './sharing'
import type { Source } from './source'

/**
 * Graph JSON, the same content as graph CSV:
 *
 *     { "name": "tiny",
 *       "tensors": [{ "id": "x", "bytes": 64, "kind": "input", "alignment": 16, "shape": [1, 64], "dtype": "int8" }, …],
 *       "ops": [{ "id": "relu", "type": "Relu", "inputs": ["x"], "outputs": ["y"], "inplace": { "y": "x" }, "workspace": 0 }],
 *       "inputs": ["x"], "outputs": ["y"] }
 *
 * Of a tensor only the id is needed, and either bytes or shape and dtype. kind: activation, or any of input, output, constant, variable and
 * workspace with + between them; the lists inputs and outputs say the same of several. Of an operator only the type is needed; scratch is another
 * word for workspace. axes of a tensor and windows of an operator are as in graph CSV. Where neither inplace nor alias is given, they are what the type allows.
 */
function kind(value: unknown, place: string): Kind {
  if (value === undefined) return {}
  const known = typeof value === 'string' ? kindOf(value) : null
  if (!known)
    throw new Refusal(
      `${place} is ${shown(value)}, expected activation or one or more of input, output, constant, variable and workspace with + between.`,
    )
  return known
}

class Reader {
  readonly tensors: Tensor[] = []
  readonly questions: Question[] = []
  readonly #byId = new Map<string, number>()
  readonly #answers: ImportAnswers

  constructor(answers: ImportAnswers) {
    this.#answers = answers
  }

  tensor(value: unknown, place: string): void {
    const fields = object(value, place)
    const id = text(fields.id, `${place}.id`)
    if (this.#byId.has(id)) throw new Refusal(`${place}.id: ${shown(id)} is the id of another tensor, too.`)
    const shape = fields.shape === undefined ? undefined : this.#shape(fields.shape, `${place}.shape`)
    const dtype = fields.dtype === undefined ? undefined : text(fields.dtype, `${place}.dtype`)
    this.#byId.set(id, this.tensors.length)
    this.tensors.push({
      id,
      bytes:
        fields.bytes === undefined ? this.#size(id, shape, dtype, place) : count(fields.bytes, `${place}.bytes`, 0),
      kind: kind(fields.kind, `${place}.kind`),
      ...(fields.alignment === undefined ? {} : { alignment: count(fields.alignment, `${place}.alignment`, 1) }),
      ...(shape ? { shape } : {}),
      ...(dtype === undefined ? {} : { dtype }),
      ...(fields.axes === undefined ? {} : { axes: text(fields.axes, `${place}.axes`) }),
    })
  }

  #shape(value: unknown, place: string): number[] {
    return list(value, place).map((side, axis) => count(side, `${place}[${axis}]`, 0))
  }

  #size(id: string, shape: readonly number[] | undefined, dtype: string | undefined, place: string): number {
    const told = Object.hasOwn(this.#answers.bytes, id) ? this.#answers.bytes[id] : undefined
    if (told !== undefined && Number.isSafeInteger(told) && told >= 0) return told
    const bits = dtype === undefined ? undefined : bitsOf(dtype)
    if (shape && bits !== undefined) {
      const bytes = byteSize(shape, bits)
      if (bytes === null) throw new Refusal(`${place}.shape: more than 2^53 bytes.`)
      return bytes
    }
    const text = `How many bytes does tensor ${id} take? The file gives neither its bytes nor a shape and a type of known size.`
    this.questions.push({ kind: 'bytes', name: id, text })
    return 0
  }

  /** Whether the tensors that a top-level list names are also marked by it. */
  mark(value: unknown, place: string, mark: Kind): void {
    for (const index of this.#ids(value, place)) {
      const tensor = this.tensors[index] as Tensor
      tensor.kind = { ...tensor.kind, ...mark }
    }
  }

  #id(value: unknown, place: string): number {
    const index = typeof value === 'string' ? this.#byId.get(value) : undefined
    if (index === undefined) throw new Refusal(`${place} is ${shown(value)}, expected the id of a tensor.`)
    return index
  }

  #ids(value: unknown, place: string): number[] {
    return list(value, place).map((id, index) => this.#id(id, `${place}[${index}]`))
  }

  #pairs(value: unknown, place: string): [number, number][] {
    if (value === undefined) return []
    return Object.entries(object(value, place)).flatMap(([output, inputs]) => {
      const from = this.#id(output, place)
      const to = Array.isArray(inputs) ? inputs : [inputs]
      return to.map((input): [number, number] => [from, this.#id(input, `${place}.${output}`)])
    })
  }

  op(value: unknown, place: string, id: (wanted: string, type: string) => string): Op {
    const fields = object(value, place)
    const type = text(fields.type, `${place}.type`)
    const inputs = this.#ids(fields.inputs, `${place}.inputs`)
    const outputs = this.#ids(fields.outputs, `${place}.outputs`)
    const told = fields.inplace !== undefined || fields.alias !== undefined
    const inplace = this.#pairs(fields.inplace, `${place}.inplace`)
    const alias = this.#pairs(fields.alias, `${place}.alias`)
    const shared = told
      ? { ...(inplace.length > 0 ? { inplace } : {}), ...(alias.length > 0 ? { alias } : {}) }
      : sharing(type, inputs, outputs, this.tensors)
    const workspace = fields.workspace ?? fields.scratch
    return {
      id: id(fields.id === undefined ? '' : text(fields.id, `${place}.id`), type),
      type,
      inputs,
      outputs,
      ...shared,
      ...(workspace === undefined ? {} : { workspace: count(workspace, `${place}.workspace`, 0) }),
      ...(fields.windows === undefined ? {} : { windows: text(fields.windows, `${place}.windows`) }),
    }
  }
}

/** Throws Refusal. */
export function readGraphJson(source: Source, answers: ImportAnswers): Imported {
  const whole = object(parse(source), 'the file')
  if (whole.format === 'arenascope-schedule')
    throw new Refusal(
      'this is an order of operators without its model: open the model, or the shared file of the search.',
    )
  if (!Array.isArray(whole.tensors) || !Array.isArray(whole.ops))
    throw new Refusal('this JSON is no graph: that has the lists “tensors” and “ops”.')
  const reader = new Reader(answers)
  for (const [index, tensor] of list(whole.tensors, 'tensors').entries()) reader.tensor(tensor, `tensors[${index}]`)
  reader.mark(whole.inputs, 'inputs', { input: true })
  reader.mark(whole.outputs, 'outputs', { output: true })
  const names = new Names()
  const ops = list(whole.ops, 'ops').map((op, index) => {
    const place = `ops[${index}]`
    return reader.op(op, place, (wanted, type) => {
      const id = names.take(wanted, `${type} ${index}`)
      if (wanted !== '' && id !== wanted)
        throw new Refusal(`${place}.id: ${shown(wanted)} is the id of another operator, too.`)
      return id
    })
  })
  if (reader.questions.length > 0)
    return { ok: false, message: 'the sizes of some tensors are missing.', questions: reader.questions }
  const name = typeof whole.name === 'string' ? plainName(whole.name) : ''
  return { ok: true, format: 'graph-json', graph: { name, tensors: reader.tensors, ops }, notes: [] }
}

/** One tensor and one operator a line, so that two versions of a graph can be compared by line. Reads back as the same graph. */
export function writeGraphJson(graph: Graph): string {
  const id = (index: number) => graph.tensors[index]?.id ?? ''
  const pairs = (given: readonly (readonly [number, number])[]) => {
    const byOutput = new Map<string, string[]>()
    for (const [output, input] of given) byOutput.set(id(output), [...(byOutput.get(id(output)) ?? []), id(input)])
    return Object.fromEntries(
      [...byOutput].map(([output, [first = '', ...more]]) => [output, more.length ? [first, ...more] : first]),
    )
  }
  const tensors = graph.tensors.map(({ kind, ...tensor }) => JSON.stringify({ ...tensor, kind: kindText(kind) }))
  const ops = graph.ops.map(({ inputs, outputs, inplace, alias, ...op }) =>
    JSON.stringify({
      ...op,
      inputs: inputs.map(id),
      outputs: outputs.map(id),
      // always given: a graph without them must not read back with those that the types allow
      inplace: pairs(inplace ?? []),
      ...(alias ? { alias: pairs(alias) } : {}),
    }),
  )
  const lines = (items: string[]) => (items.length === 0 ? '[]' : `[\n    ${items.join(',\n    ')}\n  ]`)
  return `{\n  "name": ${JSON.stringify(graph.name)},\n  "tensors": ${lines(tensors)},\n  "ops": ${lines(ops)}\n}\n`
}
