// The arms of the core's branches that no test takes, from clang's counts: of each condition's operands the side, true or false, on which it never came out.
// A header's function is one thing, however many files include it: what one of them takes is taken. What an operand can only be is no branch.
//   node tests/campaign/branches.mjs: the list once more, from what the last `campaign --part=coverage` has counted
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOT } from '../../wasm/bench/bundle.mjs'

export const FOLDER = join(ROOT, 'build', 'campaign', 'coverage')
export const RAW = join(FOLDER, 'raw')
export const LIST = join(FOLDER, 'arms.txt')
const CORE = join(ROOT, 'core/src/')
const EXPANSION = 1

function output(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 30 })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}\n${stderr}`.slice(0, 4000))
  return stdout
}

/** Where in the function's own file each of its macros stands: by the number that clang gives the expansion, whose macro may be used in another's. */
function expansions(regions) {
  const places = new Map()
  for (const [line, column, endLine, endColumn, , file, expanded, kind] of regions)
    if (kind === EXPANSION) places.set(expanded, { file, place: [line, column, endLine, endColumn] })
  return (file) => {
    const chain = []
    for (let at = places.get(file); at; at = places.get(at.file)) chain.unshift(at.place)
    return chain
  }
}

/** All operands of conditions in functions of the core, each with how often it was true and false. */
export function operandsOf(functions) {
  const all = new Map()
  for (const { filenames, branches, regions } of functions) {
    const own = normalize(filenames[0])
    if (!own.startsWith(CORE)) continue
    const chainOf = expansions(regions)
    for (const [line, column, endLine, endColumn, taken, skipped, file] of branches) {
      const inner = [line, column, endLine, endColumn]
      const chain = [...chainOf(file), inner]
      const key = `${own} ${chain.map((place) => place.join(':')).join(' ')}`
      const operand = all.get(key) ?? {
        file: own,
        place: chain[0],
        macro: chain.length > 1 ? { file: normalize(filenames[file]), place: inner } : null,
        counts: { true: 0, false: 0 },
      }
      operand.counts.true += taken
      operand.counts.false += skipped
      all.set(key, operand)
    }
  }
  return [...all.values()]
}

const texts = new Map()

/** The text at a place, in one line. */
function textAt(file, [line, column, endLine, endColumn]) {
  if (!texts.has(file)) texts.set(file, readFileSync(file, 'utf8').split('\n'))
  const lines = texts.get(file).slice(line - 1, endLine)
  lines[lines.length - 1] = lines.at(-1).slice(0, endColumn - 1)
  lines[0] = lines[0].slice(column - 1)
  return lines.join(' ').replace(/\s+/g, ' ')
}

/** The arms without a count, in order of files with most first. */
export function armsLeft(operands) {
  const byFile = new Map()
  for (const { file, place, macro, counts } of operands)
    for (const side of ['true', 'false']) {
      if (counts[side]) continue
      const text = textAt(file, place) + (macro ? `: ${textAt(macro.file, macro.place)}` : '')
      const arms = byFile.get(file) ?? []
      arms.push({ line: place[0], column: place[1], text, side })
      byFile.set(file, arms)
    }
  for (const arms of byFile.values()) arms.sort((a, b) => a.line - b.line || a.column - b.column)
  return [...byFile].sort(([, a], [, b]) => b.length - a.length)
}

function linesOf(files) {
  const own = files.filter(({ filename }) => normalize(filename).startsWith(CORE))
  const sum = (part) => own.reduce((total, { summary }) => total + summary.lines[part], 0)
  return { covered: sum('covered'), count: sum('count') }
}

const percent = ({ covered, count }) => Math.round((10000 * covered) / count) / 100

/** Adds up what the programs have counted, and writes and prints the arms that are left. In percent: the lines and arms that were reached. */
export function report(programs) {
  const merged = join(FOLDER, 'all.profdata')
  output('llvm-profdata', ['merge', '-sparse', '-o', merged, ...readdirSync(RAW).map((file) => join(RAW, file))])
  const [first, ...others] = programs
  const objects = [first, ...others.flatMap((program) => ['-object', program])]
  const { data } = JSON.parse(output('llvm-cov', ['export', `-instr-profile=${merged}`, ...objects]))
  const operands = operandsOf(data[0].functions)
  const left = armsLeft(operands)
  const count = left.reduce((sum, [, arms]) => sum + arms.length, 0)
  const list = left.flatMap(([file, arms]) => [
    `${relative(ROOT, file)}: ${arms.length}`,
    ...arms.map(({ line, column, text, side }) => `  ${line}:${column} never ${side}: ${text.slice(0, 160)}`),
  ])
  writeFileSync(LIST, `${list.join('\n')}\n`)
  console.log(list.join('\n'))
  const branches = { covered: 2 * operands.length - count, count: 2 * operands.length }
  const lines = linesOf(data[0].files)
  console.log(
    `${count} of ${branches.count} arms left, ${lines.count - lines.covered} of ${lines.count} lines; ${relative(ROOT, LIST)}`,
  )
  return { lines: percent(lines), branches: percent(branches) }
}

/** What was built to be counted. */
export function countedPrograms() {
  const targets = readdirSync(join(ROOT, 'tests/fuzz'))
    .filter((file) => file.endsWith('.c'))
    .map((file) => join(FOLDER, file.slice(0, -2)))
  return [join(FOLDER, 'arenascope-tests'), join(FOLDER, 'arenascope'), ...targets].filter(existsSync)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) report(countedPrograms())
