// Mutated links, shared files and model files, by the page's own readers (inputs.ts).
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle, ROOT } from '../../wasm/bench/bundle.mjs'

export async function inputs(seconds) {
  const script = join(ROOT, 'build/campaign/inputs.mjs')
  await bundle(join(ROOT, 'tests/campaign/inputs.ts'), script)
  const { originals, tryInputs } = await import(pathToFileURL(script).href)
  const rows = []
  const seed = Date.now() % 1_000_000_000
  for (const [kind, of] of Object.entries(await originals(ROOT))) {
    const tally = await tryInputs(of, seed, (seconds * 1000) / 3)
    for (const fault of tally.faults) console.log(`  seed ${seed}: ${fault}`)
    console.log(`  ${kind}: ${tally.accepted} of ${tally.inputs} read`)
    rows.push({ what: `mutated ${kind}`, count: tally.inputs, faults: tally.faults.length, seed })
  }
  return rows
}
