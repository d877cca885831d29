// One search, many builds: the digest of every step, the height and the bound are the same whatever compiled it (searches.c), and in the shipped module in
// Node, Chromium and Firefox (searches.ts). What is not there is left out, and said so.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle, ROOT } from '../../wasm/bench/bundle.mjs'

const FOLDER = join(ROOT, 'build', 'campaign')
const WASM = join(ROOT, 'build/wasm/core.wasm')
const BUILDS = {
  'gcc -O3': ['gcc', '-O3'],
  'gcc -O0': ['gcc', '-O0'],
  'gcc -march=native': ['gcc', '-O3 -march=native'],
  'clang -O2': ['clang', '-O2'],
  i386: ['gcc', '-O2 -m32 -msse2 -mfpmath=sse -Wno-error=conversion -Wno-error=type-limits'],
}
const BROWSERS = ['Chromium', 'Firefox']
/** Problems at once: some thousand searches. */
const SLICE = 100

/** The program of a build, or null if it cannot be made here. */
function made(name, [compiler, flags]) {
  const folder = join(FOLDER, name.replaceAll(/[ =]+/g, ''))
  const quiet = { cwd: ROOT, encoding: 'utf8' }
  const how = ['-S', 'core', '-B', folder, '-G', 'Ninja', '-DASC_TESTS=OFF', '-DCMAKE_BUILD_TYPE=None']
  if (spawnSync('cmake', [...how, `-DCMAKE_C_COMPILER=${compiler}`, `-DCMAKE_C_FLAGS=${flags}`], quiet).status !== 0) {
    rmSync(folder, { recursive: true, force: true })
    return null
  }
  const program = 'arenascope-searches'
  return spawnSync('ninja', ['-C', folder, program], quiet).status === 0 ? join(folder, program) : null
}

function natively(program, from, to) {
  const { status, stdout, stderr } = spawnSync(program, [String(from), String(to)], { encoding: 'utf8' })
  return status === 0 ? stdout : new Error(`ended with ${status}: ${stderr}`)
}

/** The script in a folder that a page can be given. */
async function pageFolder() {
  const folder = join(FOLDER, 'page')
  mkdirSync(folder, { recursive: true })
  copyFileSync(WASM, join(folder, 'core.wasm'))
  await bundle(join(ROOT, 'tests/campaign/searches.ts'), join(folder, 'searches.js'))
  return folder
}

/** What each browser says of the problems, or why it does not. */
function inBrowsers(folder, from, to) {
  writeFileSync(join(folder, 'range.json'), JSON.stringify({ from, to }))
  const env = { ...process.env, ARENASCOPE_SEARCHES: folder }
  const args = ['run', '--config', 'web/vite.config.ts', '--project', 'campaign', 'browsers']
  for (const name of BROWSERS) rmSync(join(folder, `${name}.txt`), { force: true })
  const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/vitest'), args, { cwd: ROOT, env, encoding: 'utf8' })
  const lines = (name) => {
    try {
      return readFileSync(join(folder, `${name}.txt`), 'utf8')
    } catch {
      return new Error(stdout.slice(-2000))
    }
  }
  return BROWSERS.map((name) => [name, lines(name)])
}

/** Says where a build's lines leave the first one's; how many do. */
function differences(lines, [name, text]) {
  if (text instanceof Error) {
    console.log(`  ${name}: ${text.message}`)
    return 1
  }
  const own = text.split('\n')
  const different = lines.filter((line, k) => own[k] !== line)
  for (const line of different.slice(0, 5)) console.log(`  ${name} differs from ${line}`)
  return different.length + Math.abs(own.length - lines.length)
}

export async function builds(seconds) {
  const programs = {}
  for (const [name, how] of Object.entries(BUILDS)) {
    const program = made(name, how)
    if (program) programs[name] = program
    else console.log(`  no build ${name} here`)
  }
  const folder = await pageFolder()
  const { searches } = await import(pathToFileURL(join(folder, 'searches.js')).href)
  const first = Math.floor(Math.random() * 4e9)
  const end = Date.now() + seconds * 1000
  let [count, faults, from, names] = [0, 0, first, []]
  do {
    const to = from + SLICE
    const told = Object.entries(programs).map(([name, program]) => [name, natively(program, from, to)])
    told.push(['Node', await searches(readFileSync(WASM), from, to).catch((error) => error)])
    told.push(...inBrowsers(folder, from, to))
    const [[, text], ...others] = told
    if (text instanceof Error) throw text
    const lines = text.split('\n')
    count += lines.length - 1
    for (const other of others) faults += differences(lines, other)
    names = told.map(([name]) => name)
    from = to
  } while (Date.now() < end)
  const what = `searches, each the same on ${names.length} builds: ${names.join(', ')}`
  return [{ what, count, faults, seed: `${first} to ${from}` }]
}
