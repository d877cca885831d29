/** What the manifest of the page's workers leaves out until after the first view: the help of options, and all but one pseudocode. */
import text from '../../build/wasm/words.json?raw'
import { pseudocodeLines } from './decode'
import type { Manifest, SolverInfo, SolverOption } from './types'

interface Words {
  graphOptions: string[]
  solvers: Record<string, { pseudocode: string; help: string[] }>
}

const withHelp = (options: SolverOption[], help: string[]) =>
  options.map((option, k) => ({ ...option, help: help[k] ?? option.help }))

/** The manifest as the module has it. */
export function withWords(known: Manifest, words = JSON.parse(text) as Words): Manifest {
  const told = (info: SolverInfo): SolverInfo => {
    const own = words.solvers[info.id]
    if (own === undefined) return info
    return { ...info, options: withHelp(info.options, own.help), pseudocode: pseudocodeLines(own.pseudocode) }
  }
  return {
    ...known,
    solvers: known.solvers.map(told),
    schedulers: known.schedulers.map(told),
    graphOptions: withHelp(known.graphOptions, words.graphOptions),
  }
}
