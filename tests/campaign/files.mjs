// The disk fails at every call that brings a file to it, in turn: the old file stays whole, or the new one is; nothing is left beside it, and it is said.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../wasm/bench/bundle.mjs'

const ROOM = join(ROOT, 'build', 'campaign', 'files')
const COMMAND = join(ROOT, 'build/native/arenascope')
const FILE = join(ROOM, 'file.csv')
const rows = Array.from({ length: 2000 }, (_, k) => `buffer${k},${k},${k + 1},1\n`).join('')
const PROBLEM = `id,lower,upper,size\n${rows}`

/** The old file is the problem, which is read from where the result goes. */
const COMMANDS = {
  solve: ['solve', '--solver=large', '--capacity=12', `--output=${FILE}`, FILE],
  proof: ['solve', '--solver=exact', '--capacity=0', `--proof=${FILE}`, FILE],
  explain: ['explain', '--capacity=0', `--output=${FILE}`, FILE],
  generate: ['generate', 'random', '--n=2000', `--output=${FILE}`],
  program: ['program', '--capacity=12', `--output=${FILE}`, FILE],
}

function attempt(args, failAt) {
  const log = join(ROOM, '..', 'failed')
  rmSync(log, { force: true })
  writeFileSync(FILE, PROBLEM)
  const env = {
    ...process.env,
    LD_PRELOAD: join(ROOM, '..', 'failing_write.so'),
    ASC_FAIL_AT: String(failAt),
    ASC_FAIL_LOG: log,
  }
  const { status, stderr } = spawnSync(COMMAND, args, { env, encoding: 'utf8' })
  return { status, stderr, failed: existsSync(log), text: readFileSync(FILE, 'utf8'), left: readdirSync(ROOM).length }
}

export function files() {
  rmSync(ROOM, { recursive: true, force: true })
  mkdirSync(ROOM, { recursive: true })
  const library = [
    '-shared',
    '-fPIC',
    '-O1',
    '-o',
    join(ROOM, '..', 'failing_write.so'),
    join(ROOT, 'tests/campaign/failing_write.c'),
    '-ldl',
  ]
  if (spawnSync('gcc', library).status !== 0) return [{ what: 'faults of the disk', count: 0, faults: 1 }]
  let count = 0
  let faults = 0
  for (const [name, args] of Object.entries(COMMANDS)) {
    const whole = attempt(args, 1_000_000)
    for (let failAt = 1; failAt < 1000; failAt++) {
      const got = attempt(args, failAt)
      if (!got.failed) break
      count++
      // what comes after the rename cannot take anything back
      const fine = got.status === 2 ? got.text === PROBLEM && got.stderr !== '' : got.text === whole.text
      // a rename that fails leaves what should be there, and says where
      const kept = /what should be there is in/.test(got.stderr) ? 2 : 1
      if (fine && got.left === kept) {
        for (const file of readdirSync(ROOM)) if (join(ROOM, file) !== FILE) rmSync(join(ROOM, file))
        continue
      }
      faults++
      console.log(`  ${name}, call ${failAt}: exit ${got.status}, ${got.left} files, ${got.stderr}`)
    }
  }
  return [{ what: 'faults of the disk, at every call', count, faults, latest: true }]
}
