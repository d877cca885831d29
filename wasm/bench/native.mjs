import { spawnSync } from 'node:child_process'
import { median } from './table.mjs'

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

/**
 * Asks a program in turns, so that a machine with other work disturbs all alike: in each round every call once. calls: its arguments, without --processor. Of
 * each call its rows, with the least of all rounds as ms and the median of the rounds as msMedian.
 */
export function inTurns(program, calls, rounds) {
  const asked = Array.from({ length: rounds }, () => calls.map((args) => nativeRows(program, [...args, '--processor'])))
  return calls.map((_, call) =>
    asked[0][call].map((row, k) => {
      const times = asked.map((round) => round[call][k].ms)
      return { ...row, ms: Math.min(...times), msMedian: median(times) }
    }),
  )
}

/** How times of inTurns were taken and how steady they were, for a caption. */
export function steadiness(rows, rounds) {
  const above = rows.map(({ ms, msMedian }) => 100 * (msMedian / Math.max(ms, 1e-3) - 1))
  return `Milliseconds of the processor, the least of ${rounds} rounds that took turns; the median round took ${median(above).toFixed(0)} % more in the middle row, ${Math.max(...above).toFixed(0)} % in the worst.`
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
