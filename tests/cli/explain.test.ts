import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { arenascope, example, folder, interrupted, read, solveJson } from './command'

interface Explanation {
  outcome: string
  ended: string
  capacity: number
  lowerBound: number
  buffers: number
  irreducible?: boolean
  needed?: number
  section?: { lower: number; upper: number; load: number; live: number } | null
  set?: { id: string; lower: number; upper: number; size: number; alignment: number; fixed: number | null }[]
  steps: number
  seconds: number
  code: number | null
}

/** The one line that --json prints. */
function explainJson(args: string[], input = ''): Explanation {
  const answer = arenascope(['explain', '--json', ...args], input)
  const lines = answer.out.split('\n')
  if (lines.length !== 2 || lines[1] !== '') throw new Error(`not one line: ${answer.out}${answer.err}`)
  return { ...JSON.parse(lines[0] ?? ''), code: answer.code }
}

const ids = (answer: Explanation) => answer.set?.map((buffer) => buffer.id)
const five = example('five.csv')
const infeasible = example('infeasible.csv')

/** Writes a file into the tests' folder. */
function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

describe('explain', () => {
  it('names the section that holds too much, without a search', () => {
    const answer = arenascope(['explain', '--capacity=4', five])
    expect(answer.code).toBe(1)
    expect(answer.out).toMatch(
      /^infeasible: The 3 buffers alive from time 0 to 3 take 12 bytes, 8 more than the capacity of 4; 2 of them are too much\.\n/,
    )
    expect(answer.out).toContain('\nIrreducible: without any one of these, the rest fits.\n')
    expect(answer.out).toMatch(
      /\n {2}id +lower +upper +size +alignment +fixed\n {2}b1 +0 +3 +4 +1 *\n {2}b3 +0 +9 +4 +1 *\n\n/,
    )
    expect(answer.out).toContain('  steps    0\n')
    const json = explainJson(['--capacity=4', five])
    expect(json).toMatchObject({ code: 1, outcome: 'infeasible', irreducible: true, needed: 2, steps: 0, buffers: 5 })
    expect(json.section).toEqual({ lower: 0, upper: 3, load: 12, live: 3 })
    expect(json.set?.[0]).toEqual({ id: 'b1', lower: 0, upper: 3, size: 4, alignment: 1, fixed: null })
  })

  it('has nothing to explain where there is a plan', () => {
    expect(explainJson(['--capacity=12', five])).toMatchObject({ code: 0, outcome: 'feasible', capacity: 12 })
    const answer = arenascope(['explain', '--capacity=12', five])
    expect(answer).toMatchObject({ code: 0, err: '' })
    expect(answer.out).toMatch(
      /^feasible: there is a plan within the capacity of 12 bytes, so there is nothing to explain\n/,
    )
  })

  it('finds a set where no section holds too much, and the rest fits without any of it', () => {
    const capacity = 4 /* which is the greatest load */
    const json = explainJson([`--capacity=${capacity}`, infeasible])
    expect(json).toMatchObject({
      code: 1,
      outcome: 'infeasible',
      ended: 'infeasible',
      irreducible: true,
      section: null,
    })
    expect(json.lowerBound).toBe(capacity)
    const set = json.set ?? []
    const csv = (buffers: typeof set) =>
      `id,lower,upper,size\n${buffers.map((b) => `${b.id},${b.lower},${b.upper},${b.size}\n`).join('')}`
    expect(solveJson([`--capacity=${capacity}`, '-'], csv(set))).toMatchObject({ outcome: 'infeasible' })
    for (const left of set) {
      const rest = solveJson([`--capacity=${capacity}`, '-'], csv(set.filter((buffer) => buffer !== left)))
      expect(rest, `without ${left.id}`).toMatchObject({ code: 0 })
    }
  })

  it('names a buffer that fits nowhere', () => {
    const pinned = 'id,lower,upper,size,offset\na,0,4,3,\nb,1,5,3,6\n'
    const answer = arenascope(['explain', '--capacity=8', '-'], pinned)
    expect(answer.code).toBe(1)
    expect(answer.out).toMatch(
      /^infeasible: This buffer is fixed at 6 and ends at 9, 1 above the capacity of 8 bytes\.\n/,
    )
    expect(explainJson(['--capacity=8', '-'], pinned).set).toEqual([
      { id: 'b', lower: 1, upper: 5, size: 3, alignment: 1, fixed: 6 },
    ])
    const large = arenascope(['explain', '--capacity=2', '-'], pinned.replace(',6', ','))
    expect(large.out).toMatch(/^infeasible: This buffer alone takes 3 bytes, 1 more than the capacity of 2\.\n/)
  })

  it('finds pins that collide', () => {
    const pins = 'id,lower,upper,size,offset\nfree,0,9,1,\na,0,4,4,0\nb,3,6,4,2\nc,5,9,4,4\n'
    expect(ids(explainJson(['--capacity=100', '-'], pins))).toEqual(['a', 'b'])
    expect(ids(explainJson(['--capacity=100', '-'], pins.replace('b,3,6,4,2', 'b,3,6,4,5')))).toEqual(['b', 'c'])
  })

  it('writes the set with the columns that it does not know', () => {
    const rows = 'id,lower,upper,size,op\n"a,1",0,4,5,"two\nlines"\nsmall,0,4,1,add\n"q""b",2,6,5,""""\nfar,6,9,5,mul\n'
    const answer = arenascope(['explain', '--capacity=8', '--output=-', '-'], rows)
    expect(answer).toMatchObject({
      code: 1,
      out: 'id,lower,upper,size,op\n"a,1",0,4,5,"two\nlines"\n"q""b",2,6,5,""""\n',
    })
    expect(answer.err).toMatch(/\ninfeasible: The 3 buffers alive from time 2 to 4 take 11 bytes/)
    const path = join(folder, 'set.csv')
    expect(explainJson(['--capacity=8', `--output=${path}`, '-'], rows).code).toBe(1)
    expect(read(path)).toBe(answer.out)
    expect(explainJson(['--capacity=8', path])).toMatchObject({ buffers: 2, irreducible: true })
  })

  it('writes no set where there is none', () => {
    const path = join(folder, 'none.csv')
    expect(explainJson(['--capacity=12', `--output=${path}`, five]).code).toBe(0)
    expect(existsSync(path)).toBe(false)
  })

  it('keeps its budget and says what it knows', () => {
    const spent = explainJson(['--capacity=12', '--steps=2', five])
    expect(spent).toMatchObject({ code: 3, outcome: 'budget-spent', steps: 2 })
    expect(spent).not.toHaveProperty('set')
    const words = arenascope(['explain', '--capacity=12', '--steps=2', five])
    expect(words).toMatchObject({ code: 3 })
    expect(words.out).toMatch(/^budget-spent: the step budget ran out; feasible or not is open\n/)
    const late = explainJson(['--capacity=12', '--timeout=0', five])
    expect(late).toMatchObject({ code: 3, outcome: 'time-spent', ended: 'time-spent', steps: 0 })
  })

  it('says so if the set may be reducible', () => {
    const whole = explainJson(['--capacity=4', infeasible])
    const proof = solveJson(['--capacity=4', '--solver=exact', infeasible])
    expect(whole.irreducible).toBe(true)
    expect(whole.steps).toBeGreaterThan(proof.steps)
    const args = ['--capacity=4', `--steps=${proof.steps + 1}`, infeasible]
    const small = explainJson(args)
    expect(small).toMatchObject({ code: 1, outcome: 'infeasible', irreducible: false })
    expect(small.set?.length).toBeGreaterThanOrEqual(whole.set?.length ?? 0)
    const words = arenascope(['explain', ...args])
    expect(words.out).toContain(
      `\nSmall, not shown irreducible: ${small.needed} of ${small.set?.length} shown needed.\n`,
    )
  })

  it('is stopped from outside', async () => {
    /* Four rooms of 1,001 bytes between pinned walls, and 4,002 bytes in even sizes. No room can take more than 1,000 of them, but a search
       that does not know of even and odd tries nearly all ways to share them out. */
    const sizes = Array.from({ length: 24 }, (_, k) => (k < 23 ? 120 + 4 * k : 230))
    const walls = [1001, 2003, 3005].map((offset) => `wall${offset},0,9,1,${offset}\n`)
    const rows = [...sizes.map((size, k) => `b${k},0,9,${size},\n`), ...walls]
    const path = file('rooms.csv', `id,lower,upper,size,offset\n${rows.join('')}`)
    const late = explainJson(['--capacity=4007', path, '--timeout=100ms'])
    expect(late).toMatchObject({ code: 3, outcome: 'time-spent' })
    expect(late.seconds).toBeLessThan(5)
    const killed = await interrupted(['explain', '--json', '--capacity=4007', path], 300)
    expect(killed.code).toBe(3)
    expect(killed.err).toBe(`${path}: column offset: fixes 3 buffers\n`)
    expect(JSON.parse(killed.out)).toMatchObject({ outcome: 'cancelled' })
  }, 60_000)

  it.each([
    [['explain', five], '--capacity: is missing, expected bytes'],
    [['explain', '--capacity=12'], '--input: is missing, expected a buffer CSV'],
    [['explain', '--capacity=12', 'no/such.csv'], 'no/such.csv: No such file or directory'],
    [['explain', '--capacity=4', '--output=/no/such/folder/x.csv', five], '/no/such/folder/x.csv: No such file'],
    [['explain', '--capacity=4', '--steps=-1', five], '--steps: is "-1"'],
    [['explain', '--capacity=4', '--solver=exact', five], '--solver: there is no such flag'],
    [['explain', '--capacity=4', five, five], 'is one operand too many'],
    [['explain', '--capacity=4', file('bad.csv', 'id,lower,upper,size\na,4,3,1\n')], 'bad.csv:2:5: upper is 3'],
  ])('%j', (args, message) => {
    const answer = arenascope(args)
    expect(answer).toMatchObject({ code: 2, out: '' })
    expect(answer.err).toContain(message)
  })

  it('has help', () => {
    const help = arenascope(['help', 'explain'])
    expect(help.code).toBe(0)
    for (const flag of ['capacity', 'input', 'output', 'steps', 'seed', 'timeout', 'json'])
      expect(help.out).toContain(`--${flag}`)
    expect(arenascope(['--help']).out).toContain('arenascope explain ')
  })
})
