import type { Graph } from '../../web/src/import/graph'
import { writeGraphCsv } from '../../web/src/import/graph_csv'
import { packGraph } from '../../web/src/import/packed'
import type { PackedGraph } from '../client/types'
import { Core } from '../client/core'
import { loadExports, Module } from '../client/module'

export interface Times {
  /** what the page makes of the importer's graph: its text, or its arrays */
  make: number
  /** best of the repetitions, milliseconds of the processor: what was given to a checked graph */
  read: number
  /** all four schedules with their peaks, the buffers, sections and loads */
  lower: number
  /** all that the page gets of it, from what was given on */
  page: number
  buffers: number
}

/** How a graph comes to the core: as text, packed, or not at all, since it is open and only lowered again. */
export type Way = 'text' | 'arrays' | 'reopen'

/** Milliseconds that this process has had of the processors. Lowering is the difference of two readings, so that what else runs on the machine
    must not count. */
const clock = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const encoder = new TextEncoder()
/** A word that is no option: the core finds out when the graph is read, and stops there. */
const NO_OPTION = encoder.encode('none\0none\0')

/** Calls the glue as the core does, and gives the status. */
function opened(module: Module, way: Way, text: string, packed: PackedGraph, options: Uint8Array): number {
  const { numbers, words } = packed
  if (way === 'arrays') {
    module.input(numbers, words, packed.text, options)
    return module.call('glue_open_packed', numbers.length, words.length, packed.text.length)
  }
  if (way === 'reopen') {
    module.input(options)
    return module.call('glue_again')
  }
  module.input(options, encoder.encode(text))
  return module.call('glue_open_graph', options.length)
}

export async function measureGraph(
  wasm: BufferSource,
  graph: Graph,
  way: Way,
  options: Record<string, string>,
  repeat: number,
): Promise<Times> {
  const module = new Module(await loadExports(wasm))
  const [text, packed] = [writeGraphCsv(graph), packGraph(graph)]
  const best = {
    make: way === 'reopen' ? 0 : Number.POSITIVE_INFINITY,
    read: Number.POSITIVE_INFINITY,
    all: Number.POSITIVE_INFINITY,
    page: Number.POSITIVE_INFINITY,
  }
  const given = encoder.encode(
    Object.entries(options)
      .flat()
      .map((word) => `${word}\0`)
      .join(''),
  )
  opened(module, 'arrays', text, packed, given)
  const time = (words: Uint8Array): number => {
    const start = clock()
    const status = opened(module, way, text, packed, words)
    const taken = clock() - start
    if ((status === 0) === (words === NO_OPTION)) throw new Error(`the graph was not read as meant: status ${status}`)
    return taken
  }
  const core = new Core(await loadExports(wasm))
  core.openGraph(packed, options)
  let buffers = 0
  for (let k = 0; k < repeat; k++) {
    const begin = clock()
    if (way !== 'reopen') (way === 'text' ? writeGraphCsv : packGraph)(graph)
    best.make = Math.min(best.make, clock() - begin)
    best.read = Math.min(best.read, time(NO_OPTION))
    best.all = Math.min(best.all, time(given))
    const start = clock()
    const result =
      way === 'reopen' ? core.reopenWith(options, null) : core.openGraph(way === 'text' ? text : packed, options)
    best.page = Math.min(best.page, clock() - start)
    if (!result.ok) throw new Error(result.errors[0]?.message ?? 'cannot be read')
    buffers = result.problem.count
  }
  module.free()
  core.free()
  return { make: best.make, read: best.read, lower: best.all - best.read, page: best.page, buffers }
}
