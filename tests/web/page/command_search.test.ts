/** Finding commands, and that every one that the page knows can be found. */
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../../web/src/panels/page/commands'
import { type Entry, match, rank, used } from '../../../web/src/state/page/command_search'
import { MOST_RECENT } from '../../../web/src/state/share/storage'

const entry = (title: string, group = 'Command'): Entry => ({ id: title, group, title, keys: '', act: () => {} })
const titles = (entries: Entry[], query: string, recent: string[] = []) =>
  rank(entries, query, recent).map((found) => found.entry.title)

describe('finding a command', () => {
  const all = ['Show everything', 'Step back', 'Start', 'Go to the deepest step', 'Theme'].map((title) => entry(title))

  it('takes words whole before words within, and those before letters in order', () => {
    expect(titles(all, 'step')).toEqual(['Step back', 'Go to the deepest step'])
    expect(titles(all, 'st').slice(0, 2)).toEqual(['Start', 'Step back'])
    expect(titles(all, 'gds')).toEqual(['Go to the deepest step'])
    expect(titles(all, 'back step')).toEqual(['Step back'])
    expect(titles(all, 'xyz')).toEqual([])
  })

  it('marks the letters that matched', () => {
    expect(match('Step back', 'ba')?.marks).toEqual([5, 6])
    expect(match('Step back', 'sk')?.marks).toEqual([0, 8])
    expect(match('Step back', 'kb')).toBe(null)
    expect(match('Step back', '')?.marks).toEqual([])
  })

  it('finds by the group, after the titles', () => {
    const more = [entry('MiniMalloc', 'Solver'), entry('Solver table'), entry('PNG', 'Export')]
    expect(titles(more, 'solver')).toEqual(['Solver table', 'MiniMalloc'])
    expect(rank(more, 'solver mini', [])[0]?.marks).toEqual([0, 1, 2, 3])
  })

  it('has what was used lately first, but not before what fits better', () => {
    expect(titles(all, '', ['Theme', 'Start'])).toEqual([
      'Theme',
      'Start',
      'Show everything',
      'Step back',
      'Go to the deepest step',
    ])
    expect(titles(all, 'step', ['Go to the deepest step'])[0]).toBe('Go to the deepest step')
    expect(titles([entry('Back'), entry('Setback')], 'back', ['Setback'])).toEqual(['Back', 'Setback'])
  })

  it('remembers each command once, and not too many', () => {
    expect(used(['a', 'b', 'c'], 'b')).toEqual(['b', 'a', 'c'])
    const many = Array.from({ length: 20 }, (_, k) => String(k)).reduce<string[]>(used, [])
    expect(many.length).toBe(MOST_RECENT)
  })
})

describe('the table of commands', () => {
  it('says nothing twice: no key means two things, no title stands for two', () => {
    const keys = COMMANDS.flatMap((command) => command.keys ?? [])
    expect(keys.filter((key, k) => keys.indexOf(key) !== k)).toEqual([])
    const names = COMMANDS.map((command) => command.name)
    expect(names.filter((title, k) => names.indexOf(title) !== k)).toEqual([])
  })

  it('has each of them found by its own title first', () => {
    const all = COMMANDS.map(({ label }) => entry(label))
    for (const { title } of all) expect(titles(all, title)[0]).toBe(title)
  })
})
