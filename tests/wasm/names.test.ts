import { describe, expect, it } from 'vitest'
import { PackedNames, revived } from '../../wasm/client/names'

const NAMES = ['a', '', 'op1.out', 'büffer', '漢字', 'op1.outer', 'a b,c', '\ufeffmarked', '\ufeff']

function packed(names: string[], before: string[] = []): PackedNames {
  const bytes = new TextEncoder().encode([...before, ...names].map((name) => `${name}\0`).join(''))
  return PackedNames.of(bytes, names.length, before.length)
}

describe('packed names', () => {
  it('are the list that they were made of', () => {
    const names = packed(NAMES, ['what was assumed'])
    expect([...names]).toEqual(NAMES)
    expect(names.length).toBe(NAMES.length)
    expect(NAMES.map((_, k) => names.at(k))).toEqual(NAMES)
    expect([names.at(-1), names.at(NAMES.length)]).toEqual([undefined, undefined])
    for (const [from, to] of [
      [2, 5],
      [0, 99],
      [3, 3],
    ])
      expect(names.slice(from, to)).toEqual(NAMES.slice(from, to))
    expect(names.map((name, k) => `${k}${name}`)).toEqual(NAMES.map((name, k) => `${k}${name}`))
    expect([...names.keys()]).toEqual([...NAMES.keys()])
  })
  it('are found whole', () => {
    const names = packed(NAMES)
    for (const name of [...NAMES, 'op1', 'op1.oute', 'z']) expect(names.indexOf(name), name).toBe(NAMES.indexOf(name))
    expect([names.includes('漢字'), names.includes('漢')]).toEqual([true, false])
  })
  it('show what is unseen, and are found as they are shown', () => {
    const names = packed(['a', '\u009b31m\u202eX', '\u001b[2J', 'ünïcödé\u200d名'])
    expect([...names]).toEqual(['a', '\\u009b31m\\u202eX', '\\x1b[2J', 'ünïcödé\u200d名'])
    expect(names.indexOf('\\x1b[2J')).toBe(2)
    expect(names.indexOf('\u001b[2J')).toBe(2)
    expect(names.indexOf('\\x1b')).toBe(-1)
  })
  it('of more than are decoded together stay in order', () => {
    const many = Array.from({ length: 10_000 }, (_, k) => `b${k}`)
    expect([...packed(many)]).toEqual(many)
    expect(packed([])).toHaveLength(0)
  })
  it('survive the way from a worker', () => {
    expect([...revived(structuredClone(packed(NAMES)))]).toEqual(NAMES)
  })
})
