#!/usr/bin/env node
// Writes build/arenascope-model.mjs, one file that needs Node and nothing else, and build/npm, the npm package: node web/tools/build_package.mjs.
// After the WASM module. `npm publish build/npm` publishes it.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { bundle, bundleAll, ROOT } from '../../wasm/bench/bundle.mjs'
import { writeDocs } from './docs.mjs'

const SOURCES = join(ROOT, 'web', 'tools', 'package')
const PACKAGE = join(ROOT, 'build', 'npm')
const DIST = join(ROOT, 'dist')
/** Entries with types. */
const ENTRIES = ['node', 'browser', 'import', 'element']

async function command(file) {
  await writeFile(file, `#!/usr/bin/env node\n${await readFile(file, 'utf8')}`)
  await chmod(file, 0o755)
}

/** The declarations that the entries lead to. Node's resolution wants extensions, which the sources do not have. */
async function writeTypes() {
  const made = join(PACKAGE, 'made')
  const config = {
    extends: join(ROOT, 'web/tsconfig.json'),
    compilerOptions: { noEmit: false, declaration: true, emitDeclarationOnly: true, rootDir: ROOT, outDir: made },
    include: ENTRIES.map((name) => join(SOURCES, `${name}.ts`)),
  }
  const project = join(PACKAGE, 'tsconfig.json')
  await writeFile(project, JSON.stringify(config))
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', project], { stdio: 'inherit' })
  const todo = ENTRIES.map((name) => join(made, relative(ROOT, SOURCES), `${name}.d.ts`))
  const at = (file) => join(PACKAGE, 'types', relative(made, file))
  for (const file of todo) {
    const text = await readFile(file, 'utf8')
    const whole = text.replace(/(from|import\()\s*(['"])(\.{1,2}\/[^'"]+)\2/g, (_, word, quote, name) => {
      const target = resolve(dirname(file), `${name}.d.ts`)
      if (!existsSync(target)) throw new Error(`${file}: no declarations of ${name}`)
      if (!todo.includes(target)) todo.push(target)
      return `${word}${word === 'from' ? ' ' : ''}${quote}${name}.js${quote}`
    })
    await mkdir(dirname(at(file)), { recursive: true })
    await writeFile(at(file), whole)
  }
  await rm(made, { recursive: true })
  await rm(project)
}

const typesOf = (name) => `./types/web/tools/package/${name}.d.ts`

async function writeManifest() {
  const { name, version, description, license, engines } = JSON.parse(
    await readFile(join(ROOT, 'package.json'), 'utf8'),
  )
  const manifest = {
    name,
    version,
    description,
    license,
    engines,
    type: 'module',
    keywords: [
      'memory planning',
      'static memory allocation',
      'dynamic storage allocation',
      'tflite',
      'onnx',
      'executorch',
    ],
    bin: { arenascope: 'command.js' },
    exports: {
      '.': {
        node: { types: typesOf('node'), default: './node.js' },
        default: { types: typesOf('browser'), default: './browser.js' },
      },
      './import': { types: typesOf('import'), default: './import.js' },
      './element': { types: typesOf('element'), default: './element.js' },
      './core.wasm': './core.wasm',
      './package.json': './package.json',
    },
    sideEffects: ['./element.js'],
  }
  await writeFile(join(PACKAGE, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** What of others is inside: the C library and the runtime of the module. */
async function writeNotices() {
  const text = await readFile(join(ROOT, 'THIRD-PARTY.txt'), 'utf8')
  const from = text.lastIndexOf('\n=', text.indexOf('\nmusl, the C library')) + 1
  if (from <= 0) throw new Error('THIRD-PARTY.txt does not name musl')
  await writeFile(join(PACKAGE, 'THIRD-PARTY.txt'), text.slice(from))
}

async function writePackage() {
  await rm(PACKAGE, { recursive: true, force: true })
  await mkdir(PACKAGE, { recursive: true })
  const entries = ['browser', 'worker', 'node', 'node_worker', 'import', 'command']
  await bundleAll(Object.fromEntries(entries.map((name) => [`${name}.js`, join(SOURCES, `${name}.ts`)])), PACKAGE, {
    minify: true,
    alias: [{ find: /^\.\/page_worker$/, replacement: join(SOURCES, 'page_worker.ts') }],
  })
  await command(join(PACKAGE, 'command.js'))
  await bundleAll({ 'element.js': join(SOURCES, 'element.ts') }, PACKAGE, { minify: true })
  await writeManifest()
  await writeNotices()
  await writeTypes()
  await copyFile(join(ROOT, 'build/wasm/core.wasm'), join(PACKAGE, 'core.wasm'))
  await copyFile(join(SOURCES, 'README.md'), join(PACKAGE, 'README.md'))
  await copyFile(join(ROOT, 'LICENSE'), join(PACKAGE, 'LICENSE'))
}

const model = join(ROOT, 'build', 'arenascope-model.mjs')
await bundle(join(ROOT, 'web', 'tools', 'arenascope_model.ts'), model)
await command(model)
await writePackage()
// beside the page: for pages of others, and what explains it
if (existsSync(DIST)) {
  await copyFile(join(PACKAGE, 'element.js'), join(DIST, 'arenascope-element.js'))
  await writeDocs(DIST)
}
