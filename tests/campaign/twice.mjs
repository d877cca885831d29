// The same sources give the same bytes: what is committed is built in two folders, without the compiler's cache, and every file that is handed out compared.
// Each folder gets its packages itself: a link to ours would have `npm ci` empty them.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../wasm/bench/bundle.mjs'

const FOLDERS = ['one', 'another/place'].map((name) => join(ROOT, 'build/campaign/twice', name))
const MADE = ['build/native/arenascope', 'build/native/libarenascope.a', 'build/wasm', 'dist']

function run(cwd, command, args) {
  const env = { ...process.env, CCACHE_DISABLE: '1' }
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} in ${cwd}\n${stdout}${stderr}`.slice(-4000))
}

function digests(folder, path, found = new Map()) {
  const file = join(folder, path)
  const kind = statSync(file, { throwIfNoEntry: false })
  if (kind?.isDirectory()) for (const name of readdirSync(file).sort()) digests(folder, join(path, name), found)
  if (kind?.isFile()) found.set(path, createHash('sha256').update(readFileSync(file)).digest('hex'))
  return found
}

/** verbs: of build.sh. */
export function twice(_seconds, verbs = ['native', 'web']) {
  const [one, other] = FOLDERS.map((folder) => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    run(ROOT, 'git', ['clone', '--quiet', ROOT, folder])
    for (const verb of verbs) run(folder, './build.sh', [verb])
    const found = new Map()
    for (const path of MADE) digests(folder, path, found)
    return found
  })
  let faults = one.size === other.size && one.size > 0 ? 0 : 1
  for (const [path, digest] of one) {
    if (other.get(path) === digest) continue
    console.log(`  differs: ${path}`)
    faults++
  }
  return [{ what: 'files that are the same when built twice', count: one.size, faults, latest: true }]
}
