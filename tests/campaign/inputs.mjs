// Mutated links, shared files and model files, by the page's own readers (inputs.ts).
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle, ROOT } from '../../wasm/bench/bundle.mjs'

const bytes = (text) => new TextEncoder().encode(text)

function originals() {
  const links = JSON.parse(readFileSync(join(ROOT, 'web/docs/link-format.json'), 'utf8')).vectors
  const textsOf = (value) => (typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(textsOf))
  const texts = textsOf(links).filter((text) => text.includes('s1.'))
  const found = texts.map((text, k) => ({
    kind: 'link',
    name: `link ${k}`,
    bytes: bytes(text.slice(text.indexOf('s1.'))),
  }))
  found.push({ kind: 'file', name: 'links-1.json', bytes: bytes(JSON.stringify(links)) })
  const folder = join(ROOT, 'examples/graphs')
  for (const name of readdirSync(folder)) {
    const content = readFileSync(join(folder, name))
    if (content.length < 200_000) found.push({ kind: 'model', name, bytes: new Uint8Array(content) })
  }
  return found
}

export async function inputs(seconds) {
  const script = join(ROOT, 'build/campaign/inputs.mjs')
  await bundle(join(ROOT, 'tests/campaign/inputs.ts'), script)
  const { tryInputs } = await import(pathToFileURL(script).href)
  const all = originals()
  const rows = []
  const seed = Date.now() % 1_000_000_000
  console.log(`  seed ${seed}`)
  for (const kind of ['link', 'file', 'model']) {
    const of = all.filter((one) => one.kind === kind)
    if (of.length === 0) continue
    const tally = await tryInputs(of, seed, (seconds * 1000) / 3)
    for (const fault of tally.faults) console.log(`  ${fault}`)
    rows.push({ what: `mutated ${kind}s`, count: tally.inputs, faults: tally.faults.length, seed })
  }
  return rows
}
