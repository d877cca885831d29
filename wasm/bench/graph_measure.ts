import { Core } from '../client/core'
import { loadExports, Module } from '../client/module'

export interface Times {
  /** best of the repetitions, milliseconds of the processor: the text to a checked graph */
  read: number
  /** all four schedules with their peaks, the buffers, sections and loads */
  lower: number
  /** all that the page gets of it, from the text on */
  page: number
  buffers: number
}

/** Milliseconds that this process has had of the processors. Lowering is the difference of two readings, so that what else runs on the machine
    must not count. */
const clock = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** A word that is no option: the core finds out when the graph is read, and stops there. */
const NO_OPTION = 'none\0none\0'

export async function measureGraph(
  wasm: BufferSource,
  text: string,
  options: Record<string, string>,
  repeat: number,
): Promise<Times> {
  const module = new Module(await loadExports(wasm))
  const best = { read: Number.POSITIVE_INFINITY, all: Number.POSITIVE_INFINITY, page: Number.POSITIVE_INFINITY }
  const given = Object.entries(options)
    .flat()
    .map((word) => `${word}\0`)
    .join('')
  const time = (words: string): number => {
    const encoder = new TextEncoder()
    module.input(encoder.encode(words + text))
    const start = clock()
    const status = module.call('glue_open_graph', encoder.encode(words).length)
    const taken = clock() - start
    if ((status === 0) === (words === NO_OPTION)) throw new Error(`the graph was not read as meant: status ${status}`)
    return taken
  }
  const core = new Core(await loadExports(wasm))
  let buffers = 0
  for (let k = 0; k < repeat; k++) {
    best.read = Math.min(best.read, time(NO_OPTION))
    best.all = Math.min(best.all, time(given))
    const start = clock()
    const opened = core.openGraph(text, options)
    best.page = Math.min(best.page, clock() - start)
    if (!opened.ok) throw new Error(opened.errors[0]?.message ?? 'cannot be read')
    buffers = opened.problem.count
  }
  module.free()
  core.free()
  return { read: best.read, lower: best.all - best.read, page: best.page, buffers }
}
