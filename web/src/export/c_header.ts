/** A plan as a C header: the arena's size, one offset for each buffer, and a name for each where C can have it. */
import type { Problem } from '../../../wasm/client/types'

/** Larger offsets need the wider type. */
const WORD = 2 ** 32 - 1

/** What C takes as a part of a name: letters, digits and underscores, not a digit first. */
export function identifier(text: string): string {
  const made = text.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^_+|_+$/g, '')
  if (made === '') return 'plan'
  return /^[0-9]/.test(made) ? `t${made}` : made
}

/** Whatever is in a text, it does not end the comment that it stands in, nor its line. */
function inComment(text: string): string {
  return text
    .replace(/[^\x20-\x7e]/g, '?')
    .replaceAll('*/', '* /')
    .replaceAll('/*', '/ *')
}

/** Buffers looked at between two places to pause at. */
const GRAIN = 2 ** 15

/** One set of a million names would now and then hold up the page to grow. */
const SETS = 256

/** Which of the sets a name belongs to: names differ most at their ends. */
function shelf(name: string): number {
  let sum = 0
  for (let k = Math.max(0, name.length - 4); k < name.length; k++) sum = (31 * sum + name.charCodeAt(k)) % SETS
  return sum
}

/** Entries of an enumeration, all different: the second of two equal ones gets its index. */
function* entries(problem: Problem, prefix: string): Generator<string> {
  const taken = Array.from({ length: SETS }, () => new Set<string>())
  let k = 0
  for (const id of problem.ids) {
    const plain = `${prefix}_${identifier(id)}`.toUpperCase()
    let name = plain
    // an id may be what a number behind another one comes to
    while (taken[shelf(name)]?.has(name)) name = `${name}_${k}`
    taken[shelf(name)]?.add(name)
    yield `  ${name} = ${k++},\n`
  }
}

/** name: of the problem, for the header's own names. offset: by buffer, each at least 0. Piece by piece. O(buffers). */
export function* cHeader(problem: Problem, offset: Float64Array, name: string): Generator<string> {
  const prefix = identifier(name).toLowerCase()
  const upper = prefix.toUpperCase()
  let height = 0
  let align = 1
  for (let k = 0; k < problem.count; k++) {
    height = Math.max(height, (offset[k] ?? 0) + (problem.size[k] ?? 0))
    align = Math.max(align, problem.alignment[k] ?? 1)
    if (k % GRAIN === GRAIN - 1) yield ''
  }
  const type = height > WORD ? 'uint64_t' : 'uint32_t'
  const suffix = height > WORD ? 'ull' : 'ul'
  const head = [
    `/* Offsets of ${problem.count} buffers in one arena. Made by Arenascope. */`,
    `#ifndef ${upper}_ARENA_H`,
    `#define ${upper}_ARENA_H`,
    '',
    '#include <stdint.h>',
    '',
    `#define ${upper}_ARENA_BYTES ${height}${suffix}`,
    `#define ${upper}_ARENA_ALIGNMENT ${align}${suffix}`,
    `#define ${upper}_BUFFERS ${problem.count}`,
    '',
    'enum {',
  ]
  yield `${head.join('\n')}\n`
  yield* entries(problem, `${prefix}_buffer`)
  yield `};\n\nstatic const ${type} ${prefix}_offset[${problem.count}] = {\n`
  let k = 0
  for (const id of problem.ids) {
    yield `  ${offset[k] ?? 0}${suffix}, /* ${inComment(id)}: ${problem.size[k] ?? 0} bytes */\n`
    k++
  }
  yield '};\n\n#endif\n'
}
