/** A graph between file and result: values with what is known of them, steps in their order. */
import { isAlias } from '../sharing'
import type { Known, Shape } from './shape/rule'

export interface Value extends Known {
  /** unique in the model: names inside of functions and subgraphs have the caller's before them */
  name: string
  dtype: number
  shape?: Shape
  values?: readonly number[]
  /** absent: not known (yet) */
  bytes?: number
  input?: boolean
  output?: boolean
  constant?: boolean
  /** depends on a question that is not answered */
  pending?: boolean
}

/** Takes what has been done to a program, in words. */
export type Report = (what: string) => void

export interface Step {
  name: string
  type: string
  /** of ONNX itself, not of another domain */
  standard: boolean
  /** omitted ones are left out */
  inputs: Value[]
  outputs: Value[]
  workspace: number
  /** what of each input a part of the output needs; absent: not known */
  reads?: Map<Value, readonly string[]>
  /** has subgraphs, or makes other values each time: is not computed beforehand */
  fixed: boolean
}

export interface Program {
  inputs: Value[]
  outputs: Value[]
  steps: Step[]
}

/** What was needed of one value is needed of another in its place. */
export function renameRead(step: Step, from: Value, to: Value): void {
  const entries = step.reads?.get(from)
  if (entries && from !== to) step.reads?.set(to, entries)
}

/** Readers of each value, a step twice if it reads it twice. */
export function readers(steps: readonly Step[]): Map<Value, Step[]> {
  const map = new Map<Value, Step[]>()
  for (const step of steps)
    for (const value of step.inputs) {
      const known = map.get(value)
      if (known) known.push(step)
      else map.set(value, [step])
    }
  return map
}

/**
 * Most bytes in use at once by what a subgraph makes, with its inputs from its beginning and its outputs to its end; values of the graphs
 * around it and constants do not count. What has the bytes of another in another shape takes none of its own.
 */
export function peak(program: Program, own: (value: Value) => boolean): number {
  const { steps } = program
  const lives = new Map<Value, [number, number]>()
  const first = new Map<Value, Value>()
  for (const { type, inputs, outputs } of steps) {
    const [from] = inputs
    const [to] = outputs
    if (from && to && isAlias(type) && from.bytes === to.bytes) first.set(to, first.get(from) ?? from)
  }
  const see = (named: Value, step: number): void => {
    const value = first.get(named) ?? named
    if (value.constant || !own(value)) return
    const life = lives.get(value)
    if (life) life[1] = Math.max(life[1], step)
    else lives.set(value, [step, step])
  }
  for (const value of program.inputs) see(value, 0)
  steps.forEach((step, at) => {
    for (const value of step.inputs) see(value, at)
    for (const value of step.outputs) see(value, at)
  })
  const last = Math.max(0, steps.length - 1)
  for (const value of program.outputs) see(value, last)
  const change: number[] = new Array(last + 2).fill(0)
  for (const [value, [from, to]] of lives) {
    change[from] = (change[from] as number) + (value.bytes ?? 0)
    change[to + 1] = (change[to + 1] as number) - (value.bytes ?? 0)
  }
  let live = 0
  let most = 0
  for (let at = 0; at <= last; at++) {
    live += change[at] as number
    most = Math.max(most, live + (steps[at]?.workspace ?? 0))
  }
  return most
}
