#!/usr/bin/env node
// Runs clang-tidy over the core's C files, the slowest of the linters: a file that passed is only read again when it, a header that it includes (itself or
// through others) or the rules have changed. What it passed with is kept as a stamp in build/tidy, named after a hash of all of them.
//   node tests/tidy.mjs [--part=2/4] [--turn] [--since=REF] [--closely]        node tests/tidy.mjs --self-test
// turn: the analyzer, three quarters of the work, reads what the last commits changed and an eighth of the other files, drawn by the commit's hash; the
// other rules read all. since: of all parts the files that differ from that commit, closely. closely: the analyzer follows many times as many paths, which
// finds hardly more and takes as many times as long; what has not changed is read so in long sessions alone (tests/campaign). A header that has changed is
// read in the first file that leads to it.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const RULES = '.clang-tidy'

/** The path of an include of `file` among the folders, null if it is none of the project's. */
function found(root, file, name, folders) {
  return [dirname(file), ...folders]
    .map((folder) => normalize(join(folder, name)))
    .find((path) => existsSync(join(root, path)))
}

/** The file and all headers of the project that it leads to, sorted. */
export function reached(root, file, folders) {
  const all = new Set([file])
  for (const path of all)
    for (const [, name] of readFileSync(join(root, path), 'utf8').matchAll(
      /^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]/gm,
    )) {
      const header = found(root, path, name, folders)
      if (header !== undefined) all.add(header)
    }
  return [...all].sort()
}

/** A hash of the rules and of everything that the file is made of. */
export function stampOf(root, file, folders) {
  const hash = createHash('sha256')
  for (const path of [RULES, ...reached(root, file, folders)])
    hash.update(`${path}\0`).update(readFileSync(join(root, path)))
  return hash.digest('hex').slice(0, 32)
}

const tidy = (arguments_, cwd) => spawnSync('clang-tidy', ['--quiet', ...arguments_], { cwd, encoding: 'utf8' })

/** How a file is read: the words for clang-tidy, and how the stamp of a file ends that passed so. */
const PLAIN = { mark: '', words: [] }
/** All rules but the analyzer's. */
const LIGHT = { mark: '.light', words: ['--checks=-clang-analyzer-*'] }
/** What the analyzer gives up after, here more than .clang-tidy's: its own default. */
const CLOSE = {
  mark: '.closely',
  words: ['-Xclang', '-analyzer-config', '-Xclang', 'max-nodes=225000'].map((word) => `--extra-arg=${word}`),
}

/** Of so many shares of the files the analyzer reads one, and what so many commits have changed. */
const TURNS = 8

/** Which one, by the commit's hash: the same for the same commit, the first where there is no commit. */
export function turnOf(root) {
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return (Number.parseInt((stdout ?? '').slice(0, 6), 16) || 0) % TURNS
}

/** A share that depends on the file's name alone: one more file moves no other. */
export function shareOf(file) {
  return createHash('sha256').update(file).digest().readUInt32LE(0) % TURNS
}

const FOLDERS = ['core/include', 'core/src', 'tests/core', 'build/native/generated']
const READ = ['core/src', 'core/cli', 'core/bench', 'core/learn']

/** What the last commits changed; nothing where they are not known. */
function changedOfLate(root) {
  const { status, stdout } = spawnSync('git', ['diff', '--name-only', `HEAD~${TURNS}`, 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  })
  return new Set(status === 0 ? stdout.split('\n') : [])
}

/** The files that are read for what has changed: those of it, and for each header the first that leads to it. */
export function readersOf(root, files, changed, folders) {
  const headers = new Set([...changed].filter((name) => name.endsWith('.h')))
  const readers = new Set(files.filter((file) => changed.has(file)))
  for (const file of headers.size ? files : [])
    for (const header of reached(root, file, folders)) if (headers.delete(header)) readers.add(file)
  return readers
}

/** What differs from a commit or is new. */
function changedSince(root, since) {
  const lines = (...arguments_) => {
    const { status, stdout, stderr } = spawnSync('git', arguments_, { cwd: root, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    return stdout.split('\n')
  }
  return new Set([...lines('diff', '--name-only', since, '--'), ...lines('ls-files', '--others', '--exclude-standard')])
}

/** The options by name; one without a value is there, and empty. */
function given(words) {
  return Object.fromEntries(
    words.map((text) => {
      const [name, value = ''] = text.replace(/^--/, '').split('=')
      return [name, value]
    }),
  )
}

function main(root, { part, turn, since, closely }) {
  const turned = turn === undefined ? null : turnOf(root)
  const [index, count] = (part ?? '1/1').split('/').map(Number)
  const stamps = join(root, 'build/tidy')
  mkdirSync(stamps, { recursive: true })
  const files = READ.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => name.endsWith('.c'))
      .map((name) => `${folder}/${name}`),
  ).sort()
  if (files.length < 50) throw new Error(`only ${files.length} files: they have moved`)
  const changed = since === undefined ? new Set() : readersOf(root, files, changedSince(root, since), FOLDERS)
  const late = turned === null ? new Set() : readersOf(root, files, changedOfLate(root), FOLDERS)
  let bad = 0
  let read = 0
  let analyzed = 0
  for (const [k, file] of files.entries()) {
    if (k % count !== index - 1 && !changed.has(file)) continue
    const stamp = join(stamps, stampOf(root, file, FOLDERS))
    const close = closely !== undefined || changed.has(file)
    const lightly = !close && turned !== null && shareOf(file) !== turned && !late.has(file)
    // what has been read more closely has been read
    const ways = close ? [CLOSE] : lightly ? [LIGHT, PLAIN, CLOSE] : [PLAIN, CLOSE]
    if (ways.some(({ mark }) => existsSync(stamp + mark))) continue
    read++
    if (!lightly) analyzed++
    const { status, stdout, stderr } = tidy([...ways[0].words, '-p', 'build/native', file], root)
    if (status === 0) writeFileSync(stamp + ways[0].mark, '')
    else {
      bad++
      console.error(`${file}\n${stdout}${stderr}`)
    }
  }
  console.log(`clang-tidy: ${read} of ${files.length} files read, ${analyzed} by the analyzer, ${bad} with faults`)
  return bad ? 1 : 0
}

/** Faults of which each must be found with the project's rules, most of them behind a call or in a loop's second round. */
const FAULTS = {
  'clang-analyzer-core.NullDereference':
    'static int at(int *a) { return *a; }\nint f(int *a, int n) { if (n > 3) a = 0; return at(a); }',
  'clang-analyzer-unix.Malloc':
    '#include <stdlib.h>\nstatic void drop(char *p) { free(p); }\nint f(void) { char *p = malloc(3); if (!p) return 0; *p = 1; drop(p); return *p; }',
  'clang-analyzer-core.uninitialized.Branch':
    'static void set(int *x, int n) { if (n) *x = 1; }\nint f(void) { int x; set(&x, 0); if (x) return 1; return 0; }',
  'clang-analyzer-core.DivideZero':
    'static int part(int n, int d) { return n / d; }\nint f(int n) { return part(n, 0); }',
  'Use of memory after it is freed': `#include <stdlib.h>
void use(char *p);
void f(int n) { char *p = malloc(3); if (!p) return; for (int k = 0; k < n; k++) { use(p); free(p); } }`,
  'Dereference of null pointer':
    'int f(int *a, int n) { int s = 0; for (int k = 0; k < n; k++) { s += *a; if (k == 0) a = 0; } return s; }',
  'clang-diagnostic-return-type': 'int f(void) {}',
  'clang-analyzer-deadcode.DeadStores': 'int f(int n) { int m = n; m = 3; n = 4; return n; }',
  'bugprone-suspicious-string-compare':
    '#include <string.h>\nint f(const char *a) { if (strcmp(a, "x")) return 1; return strcmp(a, "y") == 2; }',
}

function selfTest(root) {
  const folder = mkdtempSync(join(tmpdir(), 'tidy-'))
  const wrong = []
  try {
    const write = (name, text) => writeFileSync(join(folder, name), text)
    write(RULES, readFileSync(join(root, RULES)))
    write('a.c', '#include "a.h"\n#include <stdio.h>\n')
    write('a.h', '#include "b.h"\n')
    write('b.h', '#define B 1\n')
    write('other.h', '#define C 1\n')
    const stamp = () => stampOf(folder, 'a.c', [])
    const before = stamp()
    write('other.h', '#define C 2\n')
    if (stamp() !== before) wrong.push('a header that is not included changes the stamp')
    write('b.h', '#define B 2\n')
    const after = stamp()
    if (after === before) wrong.push('a header of a header does not change the stamp')
    write(RULES, `${readFileSync(join(root, RULES))}# more\n`)
    if (stamp() === after) wrong.push('the rules do not change the stamp')
    const git = (...rest) => spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...rest], { cwd: folder })
    for (const step of [['init'], ['add', '.'], ['commit', '-m', 'all']]) git(...step)
    write('b.h', '#define B 3\n')
    write('new.c', '')
    const differ = [...changedSince(folder, 'HEAD')].filter((name) => name !== '').sort()
    if (differ.join() !== 'b.h,new.c') wrong.push(`not what differs: ${differ}`)
    write('a.c', '#include "a.h"\n')
    write('c.c', '#include "b.h"\n')
    const readers = [...readersOf(folder, ['a.c', 'c.c', 'new.c'], new Set(differ), [])].sort()
    if (readers.join() !== 'a.c,new.c') wrong.push(`not who is read for what differs: ${readers}`)
    const told = given(['--part=2/4', '--closely'])
    if (told.part !== '2/4' || told.closely === undefined || told.turn !== undefined)
      wrong.push(`words are misread: ${JSON.stringify(told)}`)
    const turns = [turnOf(folder), turnOf(tmpdir())]
    if (!turns.every((one) => Number.isInteger(one) && one >= 0 && one < TURNS))
      wrong.push(`no share's turns: ${turns}`)
    const shares = new Set(Array.from({ length: 200 }, (_, k) => shareOf(`core/src/${k}.c`)))
    if (shares.size !== TURNS) wrong.push(`of ${TURNS} shares some have no file`)
    for (const [rule, text] of Object.entries(FAULTS)) {
      write('fault.c', `${text}\n`)
      const { status, stdout } = tidy(['fault.c', '--', '-std=c17'], folder)
      if (status === 0 || !stdout.includes(rule)) wrong.push(`${rule} is not found:\n${stdout}`)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  for (const text of wrong) console.error(`self-test: ${text}`)
  const trials = 8 + Object.keys(FAULTS).length
  console.log(`tidy self-test: ${trials - wrong.length} passed, ${wrong.length} failed`)
  return wrong.length ? 1 : 0
}

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const told = given(process.argv.slice(2))
process.exit('self-test' in told ? selfTest(ROOT) : main(ROOT, told))
