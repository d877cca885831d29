import { spawnSync } from 'node:child_process'

const TIMEOUT_MS = 1_800_000

/** Runs a program to its end; throws with what it said if that is not a good one. Returns its output. */
export function run(program, args) {
  const { status, signal, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    maxBuffer: 1 << 28,
  })
  if (error) throw error
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${signal ?? `exit code ${status}`}\n${stderr}`)
  return { stdout, stderr }
}

/** The rows that the native bench prints, one JSON object on a line. */
export function nativeRows(program, args) {
  const { stdout } = run(program, args)
  return stdout
    .split('\n')
    .filter((text) => text.startsWith('{'))
    .map((text) => JSON.parse(text))
}

export const hasCallgrind = () => spawnSync('valgrind', ['--version']).status === 0

/** Instructions that a case takes from making its run to its end, counted by callgrind: the same on a busy machine. */
export function instructions(program, args) {
  const { stderr } = run('valgrind', [
    '--tool=callgrind',
    '--callgrind-out-file=/dev/null',
    '--toggle-collect=asc_run_new',
    '--toggle-collect=asc_run_step',
    program,
    ...args,
  ])
  const collected = /Collected\s*:\s*(\d+)/.exec(stderr)
  if (!collected || Number(collected[1]) === 0) throw new Error(`callgrind counted nothing:\n${stderr}`)
  return Number(collected[1])
}
