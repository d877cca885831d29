/** The npm package in a browser, and wherever else there is a `fetch` of addresses beside the script. */
import { Core } from '../../../wasm/client/core'
import type { Source } from '../../../wasm/client/host'
import { loadExports } from '../../../wasm/client/module'

export * from './library'

/** One core: a problem, a run and an explanation, synchronously. source: the module, or its response; without it, core.wasm beside this script. */
export async function load(source?: Source): Promise<Core> {
  return new Core(await loadExports(source ?? (await fetch(new URL('./core.wasm', import.meta.url)))))
}
