/** A bench as a command: its options, its parts, and how it ends. */
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'

const self = basename(process.argv[1] ?? 'bench')

/** What parseArgs understood of the command line; ends the process with 2 where it did not. */
export function understood(config, usage) {
  try {
    return parseArgs(config)
  } catch (error) {
    process.stderr.write(`${self}: ${error.message}\n${usage}`)
    process.exit(2)
  }
}

/** The names and texts of parts, for a usage. */
export const listOf = (parts) =>
  Object.entries(parts)
    .map(([name, { text }]) => `  ${name.padEnd(14)}${text}`)
    .join('\n')

/**
 * Runs the named parts of {name: {text, suite, run}}, one after the other, each as run says. suite: the folder of published
 * instances without which it is left out. 1 if one of them said false, else 0.
 */
export async function runParts(parts, names, run) {
  const suites = process.env.ARENASCOPE_BENCH
  let failed = 0
  for (const name of names) {
    const { text, suite } = parts[name]
    console.log(`\n== ${name}: ${text.replace(/^\* /, '')}\n`)
    if (suite && !(suites && existsSync(join(suites, suite)))) console.log(`left out: no folder "${suite}" of suites`)
    else if ((await run(parts[name], suites)) === false) failed++
  }
  return failed > 0 ? 1 : 0
}

/** Runs a main; the process ends with its code, or with 1 and the error's message. */
export function start(main) {
  main().then(
    (code) => {
      process.exitCode = code
    },
    (error) => {
      process.stderr.write(`${self}: ${error.message}\n`)
      process.exitCode = 1
    },
  )
}
