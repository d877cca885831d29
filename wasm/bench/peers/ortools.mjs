/** OR-Tools' CP-SAT in Python, from PyPI: the judge that tests and benches ask about packings. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ROOT } from '../bundle.mjs'

const ROOM = join(ROOT, 'build', 'referee')
const PYTHON = join(ROOM, 'packing', 'bin', 'python')
const ORTOOLS = 'ortools==9.14.6206'

/** The interpreter that has OR-Tools, fetched into build/referee once; null where it is not to be had, or not there and not to be fetched. */
function interpreter(fetch) {
  if (!fetch && !existsSync(PYTHON)) return null
  mkdirSync(ROOM, { recursive: true })
  const run = (command, ...args) => execFileSync(command, args, { cwd: ROOM, stdio: 'ignore', timeout: 600_000 })
  try {
    if (!existsSync(PYTHON)) run('python3', '-m', 'venv', 'packing')
    try {
      run(PYTHON, '-c', 'import ortools')
    } catch {
      run(PYTHON, '-m', 'pip', 'install', '--quiet', '--retries=0', '--timeout=15', ORTOOLS)
    }
    return PYTHON
  } catch {
    return null
  }
}

/** {ask, end}: ask answers a task as tests/referee/cpsat_judge.py says, one after the other. Null where there is no OR-Tools. */
export function cpSat({ fetch = true } = {}) {
  const python = interpreter(fetch)
  if (python === null) return null
  const child = spawn(python, [join(ROOT, 'tests/referee/cpsat_judge.py')], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const ask = async (task) => {
    child.stdin.write(`${JSON.stringify(task)}\n`)
    return JSON.parse((await lines.next()).value)
  }
  return { ask, end: () => child.stdin.end() }
}
