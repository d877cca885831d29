import { readFile } from 'node:fs/promises'
import { Core } from '../../../wasm/client/core'
import type { Source } from '../../../wasm/client/host'
import { loadExports } from '../../../wasm/client/module'

/** One core: a problem, a run and an explanation, synchronously. source: the module; without it, core.wasm of the package. */
export async function load(source?: Source): Promise<Core> {
  return new Core(await loadExports(source ?? new Uint8Array(await readFile(new URL('./core.wasm', import.meta.url)))))
}
