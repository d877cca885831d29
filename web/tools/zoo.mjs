#!/usr/bin/env node
// Writes a network of the zoo as graph CSV: npm run --silent zoo -- resnet50_fpn > fpn.graph.csv. Bundles the generators for Node and runs
// them.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle, ROOT } from '../../wasm/bench/bundle.mjs'

const output = join(ROOT, 'build', 'zoo.mjs')
await bundle(join(ROOT, 'web', 'tools', 'zoo.ts'), output)
const { run } = await import(pathToFileURL(output).href)
const { code, out, err } = await run(process.argv.slice(2))
process.stderr.write(err)
process.stdout.write(out)
process.exitCode = code
