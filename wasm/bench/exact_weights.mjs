/** The parts that measure the program: what tracing costs while it is off, instructions, sizes. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { ROOT } from './bundle.mjs'
import { challenging, EXACT } from './exact_parts.mjs'
import { hasCallgrind, instructions, nativeRows, run } from './native.mjs'
import { group, median, printTable } from './table.mjs'

const letter = (path) => path.split('/').at(-1).split('.')[0]

// ---- tracing ---------------------------------------------------------------------------------------------------------

const ROUNDS = 9

/** The same program in which no solver can be traced. */
function untracedProgram() {
  run(join(ROOT, 'build.sh'), ['untraced'])
  const folder = join(ROOT, 'build/untraced')
  const objects = exactObjects(folder)
  const { stdout } = run('nm', ['-u', ...objects])
  if (/\basci_event\b/.test(stdout)) throw new Error('the program without tracing has events all the same')
  return join(folder, 'arenascope-bench')
}

/** Best times of two programs, taken in turn so that a busy moment meets both. They must take the very same search. */
function race(programs, path) {
  const best = programs.map(() => Number.POSITIVE_INFINITY)
  const digests = new Set()
  for (let round = 0; round < ROUNDS; round++)
    programs.forEach((program, k) => {
      const [{ ms, digest }] = nativeRows(program, [path, EXACT, '--repeat=5'])
      best[k] = Math.min(best[k], ms)
      digests.add(digest)
    })
  if (digests.size > 1) throw new Error(`${path}: the program without tracing searches otherwise`)
  return best
}

function tracing({ native, suites }) {
  const programs = [native, untracedProgram()]
  const counted = hasCallgrind()
  const percent = ([on, off]) => (on / off - 1) * 100
  const rows = challenging(suites).map((path) => ({
    name: letter(path),
    times: race(programs, path),
    counts: counted ? programs.map((program) => instructions(program, [path, EXACT])) : null,
  }))
  printTable(
    [
      ['instance', 8, (row) => row.name],
      ['instructions, off', -17, (row) => (row.counts ? group(row.counts[0]) : '-')],
      ['not compiled in', -15, (row) => (row.counts ? group(row.counts[1]) : '-')],
      ['%', -6, (row) => (row.counts ? percent(row.counts).toFixed(2) : '-')],
      ['ms, off', -8, (row) => row.times[0].toFixed(3)],
      ['not compiled in', -15, (row) => row.times[1].toFixed(3)],
      ['%', -6, (row) => percent(row.times).toFixed(1)],
    ],
    rows,
  )
  const most = counted ? `${median(rows.map((row) => percent(row.counts))).toFixed(2)} % of instructions, ` : ''
  console.log(
    `\nmedian: ${most}${median(rows.map((row) => percent(row.times))).toFixed(1)} % of time (at most 3 wanted)`,
  )
  if (!counted) console.log('valgrind is not installed: no instructions counted')
}

// ---- instructions ----------------------------------------------------------------------------------------------------

function counts({ native, suites }) {
  if (!hasCallgrind()) {
    console.log('left out: valgrind is not installed')
    return
  }
  const rows = challenging(suites, 'AEJ').map((path) => {
    const [{ nodes }] = nativeRows(native, [path, EXACT])
    return { name: letter(path), nodes, count: instructions(native, [path, EXACT]) }
  })
  printTable(
    [
      ['instance', 8, (row) => row.name],
      ['instructions', -13, (row) => group(row.count)],
      ['nodes', -8, (row) => group(row.nodes)],
      ['per node', -9, (row) => group(Math.round(row.count / row.nodes))],
    ],
    rows,
  )
}

// ---- size ------------------------------------------------------------------------------------------------------------

function exactObjects(folder, family = 'exact') {
  const root = join(folder, 'CMakeFiles/objects.dir/src/solve', family)
  return readdirSync(root, { recursive: true })
    .filter((name) => name.endsWith('.o'))
    .map((name) => join(root, name))
}

/** Bytes of a solver's objects as one, stripped of what a linker does not need: code and data, and the file that holds them. */
function strippedSize(native, family) {
  const folder = mkdtempSync(join(tmpdir(), 'arenascope-size-'))
  try {
    const whole = join(folder, 'solver.o')
    run('ld', ['-r', '-o', whole, ...exactObjects(dirname(native), family)])
    run('strip', ['--strip-unneeded', whole])
    const [text, data] = run('size', [whole]).stdout.split('\n')[1].trim().split(/\s+/)
    return { name: family, sections: Number(text) + Number(data), file: statSync(whole).size }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function sizes({ native, wasm }) {
  printTable(
    [
      ['solver', 10, (row) => row.name],
      ['code and data', -13, (row) => group(row.sections)],
      ['stripped object', -15, (row) => group(row.file)],
    ],
    ['exact', 'minimalloc', 'telamalloc'].map((family) => strippedSize(native, family)),
    { id: 'exact-size' },
  )
  const bytes = readFileSync(wasm)
  const gzip = gzipSync(bytes, { level: 9 }).length
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length
  console.log(`\nexact: at most 25,000 wanted`)
  console.log(
    `core.wasm: ${group(bytes.length)} bytes, ${group(gzip)} under gzip, ${group(brotli)} under Brotli (60,000)`,
  )
}

export const weights = {
  tracing: { text: '* what tracing costs while it is off', suite: 'minimalloc', run: tracing },
  instructions: { text: '* instructions of A, E and J, by callgrind', suite: 'minimalloc', run: counts },
  size: { text: 'bytes of the solver and of the WASM module', run: sizes },
}
