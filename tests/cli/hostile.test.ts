/** Input that is meant to do harm: to the terminal, to the time it takes, to what reads the command line. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { arenascope, example, folder, inShell, root } from './command'

/** What a terminal obeys, but ends of lines. */
const obeyed = (text: string) => text.replaceAll('\n', '').match(/\p{Cc}|\p{Bidi_Control}/gu)
const TWO = 'id,lower,upper,size\n"\u009b31m\u202eX",0,4,5\nb,0,4,5\n'
const SHOWN = '\\u009b31m\\u202eX'

describe('ids and names of files on a terminal', () => {
  const bad = TWO.replace('5\nb', '-5\nb')
  const plan = TWO.replace('size', 'size,offset').replace(',5\n', ',5,0\n').replace(/5\n$/, '5,0\n')
  it.each([
    ['explain', ['explain', '--capacity=7', '-'], TWO],
    ['explain as JSON', ['explain', '--json', '--capacity=7', '-'], TWO],
    ['check', ['check', '--capacity=7', '-'], plan],
    ['stats', ['stats', '-'], TWO],
    ['a refused file', ['stats', '-'], TWO.replace('b,', `"\u009b31m\u202eX",`)],
  ])('are shown, not obeyed: %s', (_, args, csv) => {
    const { out, err } = arenascope(args, csv)
    expect(out + err).toContain(SHOWN)
    expect(obeyed(out + err)).toBe(null)
  })

  it('nor is the name of a file, of a flag or of a verb', () => {
    const name = join(folder, '\u001b]0;X\u0007\u202e.csv')
    writeFileSync(name, bad)
    for (const args of [
      ['stats', name],
      ['stats', `${name}.none`],
      ['\u001b[2J'],
      ['solve', '--solver=\u001b[2J', name],
    ]) {
      const { code, err } = arenascope(args)
      expect(code).toBe(2)
      expect(err).toMatch(/\\x1b/)
      expect(obeyed(err)).toBe(null)
    }
  })

  it('nor are bytes that are no text, and what is text stays as it is', () => {
    const row = (bytes: string) => `printf 'id,lower,upper,size\\n${bytes},0,4,5\\nb,0,4,5\\n' | "$@"`
    expect(inShell(row('\\233X'), ['explain', '--capacity=7', '-']).out).toContain('\\x9bX')
    expect(inShell(row('Ünïcödé-名'), ['explain', '--capacity=7', '-']).out).toContain('Ünïcödé-名')
  })
})

describe('a command line', () => {
  it('may ask for help as it gives any other switch', () => {
    for (const help of ['--help=1', '-help=true', '--help=yes', '--help'])
      expect(arenascope(['solve', help, example('five.csv')])).toMatchObject({
        code: 0,
        err: '',
        out: expect.stringMatching(/^arenascope solve \[FILE\]: /),
      })
    expect(arenascope(['solve', '--help=no', '--capacity=12', example('five.csv')]).out).toMatch(/^feasible|^optimal/)
  })

  it('may have a duration of any length, but none beyond 100 years', () => {
    for (const long of [`${'0'.repeat(40)}10s`, `10.${'0'.repeat(400)}s`, '876600h', 'inf'])
      expect(arenascope(['solve', `--timeout=${long}`, '--capacity=12', example('five.csv')])).toMatchObject({
        code: 0,
        err: '',
      })
    for (const long of ['1234567890123456789012345678901ns', '876600h1ms', `${'9'.repeat(400)}h`])
      expect(arenascope(['solve', `--timeout=${long}`, '--capacity=12', example('five.csv')])).toEqual({
        code: 2,
        out: '',
        err: `arenascope: --timeout: is "${long}", expected at most 876600h, which are 100 years, or inf\n`,
      })
    for (const wrong of ['1.2.3s', '.s', '1..0s', '1e3s', '10'])
      expect(arenascope(['solve', `--timeout=${wrong}`, '--capacity=12', example('five.csv')]).code).toBe(2)
  })
})

describe('a CSV for spreadsheets', () => {
  const csv = `id,lower,upper,size,note,number
"=1+1",0,4,5,@SUM(A1),-1.5
+b,0,4,5,-2+3,+7
"-c""d",5,6,5,a=b,-
e,5,6,5,,=
`
  it('has no formulas when it is asked for, and is as it was read when not', () => {
    const args = ['solve', '--capacity=12', '--output=-', '-']
    const faithful = arenascope(args, csv).out
    for (const text of ['\n=1+1,', ',@SUM(A1),-1.5,', '\n+b,', ',-2+3,+7,', ',=,']) expect(faithful).toContain(text)
    const defused = arenascope([...args, '--for_sheets'], csv).out
    for (const text of [
      `\n"'=1+1",`,
      `,"'@SUM(A1)",-1.5,`,
      `\n"'+b",`,
      `,"'-2+3",+7,`,
      `\n"'-c""d",`,
      ',a=b,',
      `,"'=",`,
      `,"'-",`,
    ])
      expect(defused).toContain(text)
    expect(arenascope(['check', '--capacity=12', '-'], defused).code).toBe(0)
  })
})

describe('a command without memory', () => {
  const library = join(folder, 'failing_memory.so')
  const source = join(root, 'tests/campaign/failing_memory.c')
  const command = process.env.ARENASCOPE_COMMAND ?? join(root, 'build/native/arenascope')

  it('says so, whichever of its calls gets none', () => {
    expect(spawnSync('gcc', ['-shared', '-fPIC', '-o', library, source]).status).toBe(0)
    const silent = []
    let call = 0
    for (let code: number | null = 2; code === 2 && call < 200; ) {
      const env = { ...process.env, LD_PRELOAD: library, ASC_FAIL_AT: String(++call) }
      const { status, stderr } = spawnSync(command, ['stats', example('five.csv')], { env, encoding: 'utf8' })
      if (status === 2 && !/memory/.test(stderr)) silent.push(`call ${call}: ${stderr}`)
      code = status
    }
    expect(silent).toEqual([])
    expect(call).toBeGreaterThan(15)
    expect(call).toBeLessThan(200)
  })
})
