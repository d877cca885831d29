/** A failing CSV becomes a small one that fails in the same way. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { arenascope, folder, read } from './command'

const many = join(folder, 'many.csv')
const small = join(folder, 'small.csv')
arenascope(['generate', 'random', '--n=60', '--seed=2', `--output=${many}`])
const shrink = (...command: string[]) => arenascope(['shrink', `--output=${small}`, many, '--', ...command])

describe('shrink', () => {
  it('leaves the rows and the numbers that the failure needs', () => {
    const { code, err } = shrink(
      'sh',
      '-c',
      'grep -q "^b5," "$1" && grep -q "^b9,.*,[1-9][0-9][0-9][0-9]$" "$1" && exit 7',
      'sh',
      '{}',
    )
    expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/^2 of 60 rows are left after \d+ runs\n$/) })
    expect(read(small)).toBe('id,lower,upper,size\nb5,0,0,0\nb9,0,0,1000\n')
  })

  it('tells a signal from an exit code, and stops after so many runs', () => {
    expect(shrink('sh', '-c', 'grep -q "^b7," "$1" && kill -SEGV $$; exit 1', 'sh').code).toBe(0)
    expect(read(small)).toBe('id,lower,upper,size\nb7,0,0,0\n')
    const few = arenascope(['shrink', '--runs=3', `--output=${small}`, many, '--', 'false'])
    expect(few.err).toMatch(/ rows are left after 3 runs\n$/)
  })

  it('wants a command that fails', () => {
    writeFileSync(small, 'as it was')
    expect(shrink('true')).toMatchObject({ code: 2, err: expect.stringMatching(/succeeds on the whole file/) })
    expect(shrink('/no/such/command')).toMatchObject({ code: 2, err: expect.stringMatching(/cannot be run/) })
    expect(arenascope(['shrink', many])).toMatchObject({ code: 2 })
    expect(read(small)).toBe('as it was')
  })
})
