import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { known } from '../../web/src/state/profile/profile_texts'
import { arenascope, example, folder, root, solveJson } from './command'

interface Row {
  id: string
  capacity: number | null
  usable: number | null
  reserved: number
  alignment: number
  alignBy: string
  bank: number
  mayCross: boolean
}

const rows = JSON.parse(arenascope(['profiles', '--json']).out) as Row[]
const five = example('five.csv')

/** Two buffers alive together, one of them a little more than half of a bank of the MAX78000. */
const WIDE = 'id,lower,upper,size,note\na,0,4,20000,x\nb,0,4,20000,y\n'

describe('profiles', () => {
  it('are those of the data, figure by figure', () => {
    expect(rows.length).toBeGreaterThan(64)
    const text = arenascope(['profiles']).out
    for (const row of rows) {
      const data = JSON.parse(readFileSync(join(root, 'core/src/profile/data', `${row.id}.json`), 'utf8'))
      const reserved = data.reserved?.bytes ?? 0
      expect(row).toMatchObject({
        capacity: data.capacity.bytes || null,
        usable: data.capacity.bytes ? data.capacity.bytes - reserved : null,
        reserved,
        alignment: data.alignment.bytes,
        alignBy: data.alignment.apply,
        bank: data.banks?.bytes ?? 0,
        mayCross: data.banks?.mayCross ?? true,
        title: data.title,
        vendor: data.vendor,
        cores: data.cores?.count ?? 1,
      })
      expect(text).toContain(`  ${row.id} `)
    }
  })

  it('are those of the page', () => {
    for (const profile of known)
      expect(rows.find(({ id }) => id === profile.id)).toMatchObject({ ...profile, capacity: profile.capacity || null })
    expect(known.map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
  })

  it('tells all of one', () => {
    const { code, out } = arenascope(['profiles', 'maxim-max78000'])
    expect(code).toBe(0)
    expect(out).toBe(
      'maxim-max78000: MAX78000, by Analog Devices\n  capacity   524,288\n  alignment  4, of the offset\n' +
        '  banks      16 of 32,768, which a buffer may not cross\n  cores      64\n',
    )
    expect(arenascope(['profiles', 'hailo-8']).out).toContain('  capacity   not public\n')
    const none = arenascope(['profiles', 'nothing'])
    expect(none.code).toBe(2)
    expect(none.err).toContain('there is no profile "nothing"')
  })
})

describe('--profile', () => {
  it('gives solve a capacity, an alignment and banks, and leaves the file as it was', () => {
    const plan = join(folder, 'banked.csv')
    const args = ['--solver=exact', '--profile=maxim-max78000', `--output=${plan}`, '-']
    expect(solveJson(args, WIDE)).toMatchObject({ code: 0, outcome: 'feasible', capacity: 524288, height: 52768 })
    // the second begins with the second bank; sizes and columns are those that were read
    expect(readFileSync(plan, 'utf8')).toMatch(
      /^id,lower,upper,size,note,offset\na,0,4,20000,x,(0|32768)\nb,0,4,20000,y,(0|32768)\n$/,
    )
    expect(arenascope(['check', '--profile=maxim-max78000', plan]).code).toBe(0)
    writeFileSync(plan, 'id,lower,upper,size,offset\na,0,4,20000,0\nb,0,4,20000,20002\n')
    const bad = arenascope(['check', '--profile=maxim-max78000', plan])
    expect(bad.code).toBe(1)
    expect(bad.out).toContain('misaligned: b ')
    expect(bad.out).toContain('crossing: b ')
    expect(arenascope(['check', '--capacity=60000', plan]).code).toBe(0)
  })

  it('takes the capacity that is given before its own, and that alone where its own is not public', () => {
    expect(solveJson(['--profile=general-minimalloc', '--capacity=12', five])).toMatchObject({ code: 0, capacity: 12 })
    const { code, err } = arenascope(['solve', '--profile=hailo-8', five])
    expect(code).toBe(2)
    expect(err).toContain('--capacity: is missing')
    expect(solveJson(['--profile=hailo-8', '--capacity=12', five])).toMatchObject({ code: 0, height: 12 })
  })

  it('rounds sizes up where the profile does', () => {
    const stats = JSON.parse(arenascope(['stats', '--json', '--profile=arm-ethos-u-shram-24k', five]).out)
    expect(stats).toMatchObject({ lowerBound: 3072, totalSize: 5120, capacity: 24576 })
    expect(arenascope(['stats', '--profile=arm-ethos-u-shram-24k', five]).out).toContain('the peak takes 12.5 %')
  })

  it('explains within it', () => {
    const three = 'id,lower,upper,size\na,0,4,5\nb,0,4,5\nc,0,4,5\n'
    const answer = arenascope(['explain', '--json', '--profile=general-teaching-12', '-'], three)
    expect(answer.code).toBe(1)
    expect(JSON.parse(answer.out)).toMatchObject({ outcome: 'infeasible', capacity: 12 })
  })

  it('says which buffer it cannot take', () => {
    const large = 'id,lower,upper,size\nok,0,4,100\nlarge,0,4,40000\n'
    for (const verb of ['solve', 'stats', 'explain']) {
      const { code, err } = arenascope([verb, '--profile=maxim-max78000', '-'], large)
      expect(code).toBe(2)
      expect(err).toContain('bank of “large” is 32,768, expected at least the size, 40,000')
    }
    const { code, err } = arenascope(['stats', '--profile=nothing', five])
    expect(code).toBe(2)
    expect(err).toContain('--profile: is "nothing"')
  })
})
