#!/usr/bin/env node
// Writes build/arenascope-model.mjs, one file that needs Node and nothing else, and the npm packages: build/npm, arenascope, with the solvers of buffers, and
// build/npm-models, arenascope-models, the same over the whole module with the importers: node web/tools/build_package.mjs.
// After the WASM modules. `npm publish build/npm-models && npm publish build/npm` publishes them.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { bundle, bundleAll, ROOT } from '../../wasm/bench/bundle.mjs'
import { writeDocs } from './docs.mjs'

const SOURCES = join(ROOT, 'web', 'tools', 'package')
const DIST = join(ROOT, 'dist')
const MODELS = 'arenascope-models'
const typesOf = (name) => `./types/web/tools/package/${name}.d.ts`
const typed = (name, file = name) => ({ types: typesOf(name), default: `./${file}.js` })

/**
 * name, folder; entries: bundles by their sources, types: those with declarations, isBrief: without comments and indentation; module: of build/wasm; readme; exports, and what else its
 * manifest says.
 */
const BUFFERS = {
  name: 'arenascope',
  folder: join(ROOT, 'build', 'npm'),
  entries: { browser: 'browser', worker: 'worker', node: 'node', node_worker: 'node_worker', command: 'command' },
  types: ['node', 'browser', 'element'],
  isBrief: true,
  module: 'buffers',
  readme: 'README.md',
  exports: {
    '.': { node: typed('node'), default: typed('browser') },
    './import': { types: './import.d.ts', default: './import.js' },
    './element': typed('element'),
  },
  more: (version) => ({ optionalDependencies: { [MODELS]: version }, sideEffects: ['./element.js'] }),
}
const WHOLE = {
  name: MODELS,
  folder: join(ROOT, 'build', 'npm-models'),
  entries: {
    browser: 'models_browser',
    worker: 'worker',
    node: 'models_node',
    node_worker: 'node_worker',
    import: 'import',
    command: 'models_command',
  },
  types: ['models_node', 'models_browser', 'import'],
  isBrief: false,
  module: 'core',
  readme: 'MODELS.md',
  exports: {
    '.': { node: typed('models_node', 'node'), default: typed('models_browser', 'browser') },
    './import': typed('import'),
    './command': './command.js',
  },
  more: () => ({ sideEffects: ['./command.js'] }),
}

async function command(file) {
  await writeFile(file, `#!/usr/bin/env node\n${await readFile(file, 'utf8')}`)
  await chmod(file, 0o755)
}

/** Declarations of the client, without their comments and indentation a twentieth of a tarball: those of arenascope-models, which has no limit, have them. */
const COMMENTED = /\/wasm\/client\/\w+\.d\.ts$/

/** The declarations that the entries lead to. Node's resolution wants extensions, which the sources do not have. */
async function writeTypes({ folder, types, isBrief }) {
  const made = join(folder, 'made')
  const config = {
    extends: join(ROOT, 'web/tsconfig.json'),
    compilerOptions: { noEmit: false, declaration: true, emitDeclarationOnly: true, rootDir: ROOT, outDir: made },
    include: types.map((name) => join(SOURCES, `${name}.ts`)),
  }
  const project = join(folder, 'tsconfig.json')
  await writeFile(project, JSON.stringify(config))
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', project], { stdio: 'inherit' })
  const todo = types.map((name) => join(made, relative(ROOT, SOURCES), `${name}.d.ts`))
  const at = (file) => join(folder, 'types', relative(made, file))
  for (const file of todo) {
    const text = await readFile(file, 'utf8')
    const whole = text.replace(/(from|import\()\s*(['"])(\.{1,2}\/[^'"]+)\2/g, (_, word, quote, name) => {
      const target = resolve(dirname(file), `${name}.d.ts`)
      if (!existsSync(target)) throw new Error(`${file}: no declarations of ${name}`)
      if (!todo.includes(target)) todo.push(target)
      return `${word}${word === 'from' ? ' ' : ''}${quote}${name}.js${quote}`
    })
    await mkdir(dirname(at(file)), { recursive: true })
    const brief = isBrief && COMMENTED.test(file) ? whole.replace(/\/\*\*[\s\S]*?\*\/\s*|^ +/gm, '') : whole
    await writeFile(
      at(file),
      brief.replace(/^( {4})+/gm, (spaces) => ' '.repeat(spaces.length / 4)),
    )
  }
  await rm(made, { recursive: true })
  await rm(project)
}

async function writeManifest({ name, folder, exports, more }) {
  const { version, description, license, engines } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
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
    bin: { [name]: 'command.js' },
    exports: { ...exports, './core.wasm': './core.wasm', './package.json': './package.json' },
    ...more(version),
  }
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** What of others is inside: the C library and the runtime of the module. */
async function writeNotices({ folder }) {
  const text = await readFile(join(ROOT, 'THIRD-PARTY.txt'), 'utf8')
  const from = text.lastIndexOf('\n=', text.indexOf('\nmusl, the C library')) + 1
  // the last licence of the file is our own as well, in LICENSE
  const to = text.lastIndexOf('\n=', text.lastIndexOf('\nApache License 2.0')) + 1
  if (from <= 0 || to <= from) throw new Error('THIRD-PARTY.txt does not name musl, or no Apache License behind it')
  await writeFile(join(folder, 'THIRD-PARTY.txt'), text.slice(from, to))
}

async function writePackage(made) {
  const { folder, entries, module, readme } = made
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const sources = Object.entries(entries).map(([name, source]) => [`${name}.js`, join(SOURCES, `${source}.ts`)])
  await bundleAll(Object.fromEntries(sources), folder, {
    minify: true,
    alias: [{ find: /^\.\/page_worker$/, replacement: join(SOURCES, 'page_worker.ts') }],
  })
  await command(join(folder, 'command.js'))
  await writeManifest(made)
  await writeNotices(made)
  await writeTypes(made)
  await copyFile(join(ROOT, 'build', 'wasm', `${module}.wasm`), join(folder, 'core.wasm'))
  await copyFile(join(SOURCES, readme), join(folder, 'README.md'))
  await copyFile(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
}

const model = join(ROOT, 'build', 'arenascope-model.mjs')
await bundle(join(ROOT, 'web', 'tools', 'arenascope_model.ts'), model)
await command(model)
await writePackage(WHOLE)
await writePackage(BUFFERS)
await bundleAll({ 'element.js': join(SOURCES, 'element.ts') }, BUFFERS.folder, { minify: true })
for (const file of ['import.js', 'import.d.ts'])
  await writeFile(join(BUFFERS.folder, file), `export * from '${MODELS}/import'\n`)
// beside the page: for pages of others, and what explains it
if (existsSync(DIST)) {
  await copyFile(join(BUFFERS.folder, 'element.js'), join(DIST, 'arenascope-element.js'))
  await writeDocs(DIST)
}
