/** A bench as a command: its options, its parts, and how it ends. */
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from './bundle.mjs'

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

/** The programs that are built, as options. */
export const NATIVE = { initial: join(ROOT, 'build/native/arenascope-bench') }
export const WASM = { initial: join(ROOT, 'build/wasm/core.wasm') }

/**
 * The options of a bench in parts: --part=NAME, --help, and its own: {name: {initial}} for a text, {name: {initial, least}} for a whole number of
 * that at the least. Ends the process with the usage where it was asked for, or not kept to.
 */
export function partOptions(parts, own, usage) {
  const options = {
    part: { type: 'string', multiple: true, default: Object.keys(parts) },
    help: { type: 'boolean', default: false },
  }
  for (const [name, { initial }] of Object.entries(own))
    options[name] = { type: 'string', default: initial?.toString() }
  const { help, ...values } = understood({ options }, usage).values
  const numbers = Object.keys(own).filter((name) => own[name].least !== undefined)
  for (const name of numbers) values[name] = Number(values[name])
  const kept = numbers.every((name) => Number.isInteger(values[name]) && values[name] >= own[name].least)
  if (!help && kept && values.part.every((name) => parts[name])) return values
  process.stderr.write(usage)
  process.exit(help ? 0 : 2)
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
