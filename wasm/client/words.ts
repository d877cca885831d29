/**
 * Adds texts to the manifest. The page's workers send a manifest without the help of options; only the solvers of the first view have their
 * pseudocode and summaries in it. The page fetches this file after the first view and fills in the rest.
 */
import text from '../../build/wasm/words.json?raw'
import { pseudocodeLines } from './decode'
import type { Manifest, SolverInfo, SolverOption } from './types'

interface Words {
  graphOptions: string[]
  generators: string[]
  solvers: Record<string, { summary: string; pseudocode: string; help: string[] }>
}

const withHelp = (options: SolverOption[], help: string[]) =>
  options.map((option, k) => ({ ...option, help: help[k] ?? option.help }))

/** The manifest as the module has it. */
export function withWords(known: Manifest, words = JSON.parse(text) as Words): Manifest {
  const told = (info: SolverInfo): SolverInfo => {
    const own = words.solvers[info.id]
    if (own === undefined) return info
    const { summary, help, pseudocode } = own
    return { ...info, summary, options: withHelp(info.options, help), pseudocode: pseudocodeLines(pseudocode) }
  }
  return {
    ...known,
    solvers: known.solvers.map(told),
    schedulers: known.schedulers.map(told),
    generators: known.generators.map((made, k) => ({ ...made, text: words.generators[k] ?? made.text })),
    graphOptions: withHelp(known.graphOptions, words.graphOptions),
  }
}
