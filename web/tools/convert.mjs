#!/usr/bin/env node
// Writes a model as graph CSV: npm run convert -- model.tflite > model.graph.csv. Bundles the page's importers for Node and runs them.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle, ROOT } from '../../wasm/bench/bundle.mjs'

const output = join(ROOT, 'build', 'convert.mjs')
await bundle(join(ROOT, 'web', 'tools', 'convert_model.ts'), output)
const { convert } = await import(pathToFileURL(output).href)
process.exitCode = await convert(process.argv.slice(2))
