/** A plan as a C header: the arena's size, one offset for each buffer, and a name for each where C can have it. */
import type { Problem } from '../../../wasm/client/types'
import { heightsOf } from './facts'

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

/**
 * Names that are taken, by 63 bits of each: a million texts that are kept would hold up the page while their garbage is collected. Two names that
 * share their bits would cost the later one a number, and no more.
 */
class Taken {
  private readonly low: Uint32Array
  private readonly high: Uint32Array

  /** most: names that will be added */
  constructor(most: number) {
    const slots = 2 ** Math.ceil(Math.log2(2 * most + 2))
    this.low = new Uint32Array(slots)
    this.high = new Uint32Array(slots)
  }

  /** False if it is taken already. */
  add(name: string): boolean {
    let low = 0
    let high = 0
    for (let k = 0; k < name.length; k++) {
      const code = name.charCodeAt(k)
      low = Math.imul(low ^ code, 0x01000193) + 1
      high = Math.imul(high + code, 0x85ebca6b) ^ (high >>> 15)
    }
    low >>>= 0
    // 0 is a slot that is free
    high = (high | 1) >>> 0
    const last = this.low.length - 1
    let at = (low ^ (low >>> 16)) & last
    for (; this.high[at] !== 0; at = (at + 1) & last) {
      if (this.low[at] === low && this.high[at] === high) return false
    }
    this.low[at] = low
    this.high[at] = high
    return true
  }
}

/** Entries of an enumeration, all different: the second of two equal ones gets its index. */
function* entries(problem: Problem, prefix: string): Generator<string> {
  const taken = new Taken(problem.count)
  let k = 0
  for (const id of problem.ids) {
    let name = `${prefix}_${identifier(id)}`.toUpperCase()
    // an id may be what a number behind another one comes to
    while (!taken.add(name)) name = `${name}_${k}`
    yield `  ${name} = ${k++},\n`
  }
}

/** Of several pools: which, for the comment. */
function poolIn({ pools, pool }: Problem, buffer: number): string {
  const one = pools?.[pool?.[buffer] ?? -1]
  return one === undefined ? '' : ` in pool ${one.id === '' ? 'main' : inComment(one.id)}`
}

/** Bytes of the arena, or of each pool. */
function sizes(problem: Problem, offset: Float64Array, upper: string, height: number, suffix: string): string[] {
  const { pools } = problem
  if (pools === undefined) return [`#define ${upper}_ARENA_BYTES ${height}${suffix}`]
  return heightsOf(problem, offset).map((bytes, index) => {
    const id = pools[index]?.id ?? ''
    const name = id === '' ? 'MAIN' : `${index}_${identifier(id).toUpperCase()}`
    return `#define ${upper}_POOL_${name}_BYTES ${bytes}${suffix}`
  })
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
    `/* Offsets of ${problem.count} buffers in ${problem.pools === undefined ? 'one arena' : 'several pools'}. Made by Arenascope. */`,
    `#ifndef ${upper}_ARENA_H`,
    `#define ${upper}_ARENA_H`,
    '',
    '#include <stdint.h>',
    '',
    ...sizes(problem, offset, upper, height, suffix),
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
    yield `  ${offset[k] ?? 0}${suffix}, /* ${inComment(id)}: ${problem.size[k] ?? 0} bytes${poolIn(problem, k)} */\n`
    k++
  }
  yield '};\n\n#endif\n'
}
