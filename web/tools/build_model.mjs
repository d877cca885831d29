#!/usr/bin/env node
// Writes the command arenascope-model, one file that needs Node and nothing else: node web/tools/build_model.mjs. After the WASM module.
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundle, ROOT } from '../../wasm/bench/bundle.mjs'

const output = join(ROOT, 'build', 'arenascope-model.mjs')
await bundle(join(ROOT, 'web', 'tools', 'arenascope_model.ts'), output)
await writeFile(output, `#!/usr/bin/env node\n${await readFile(output, 'utf8')}`)
await chmod(output, 0o755)
