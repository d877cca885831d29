/** Nothing that was computed or stored is lost: searches ended early, files that cannot be written, signals. */
import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { arenascope, example, folder, inShell, interrupted, read, type Summary, solveJson } from './command'

const five = example('five.csv')
const hard = join(folder, 'hard.csv')
arenascope(['generate', 'synthetic', '--n=400', '--seed=3', `--output=${hard}`])
const minimise = ['--solver=exact', '--minimize', '--capacity=2000000', hard]

/** A folder of its own, in which nothing but what is named may be left. */
function room(name: string) {
  const path = join(folder, name)
  mkdirSync(path)
  return { path, file: (file: string) => join(path, file), files: () => readdirSync(path).sort() }
}

function isPlanOf(summary: Summary, output: string) {
  expect(summary).toMatchObject({ outcome: 'feasible', upperBound: summary.height })
  expect(summary.lowerBound).toBeGreaterThan(0)
  expect(summary.lowerBound).toBeLessThan(summary.height ?? 0)
  expect(arenascope(['check', `--capacity=${summary.height}`, output]).code).toBe(0)
}

describe('the best plan of a search that was ended', () => {
  it('is written when the budget is spent, with what is proven', () => {
    const output = join(folder, 'budget.csv')
    const { code, ...summary } = solveJson([...minimise, '--steps=2000', `--output=${output}`])
    expect(code).toBe(0)
    expect(summary.ended).toBe('budget-spent')
    isPlanOf(summary, output)
    const words = arenascope(['solve', ...minimise, '--steps=2000'])
    expect(words.out).toMatch(/^feasible: /)
    expect(words.out).toMatch(/\n {2}least height [\d,]+ to [\d,]+, a gap of [\d,]+ in which nothing is proven\n/)
    expect(words.out).toContain('\n  ended        budget-spent\n')
  })

  it('is written when the time is over', () => {
    const output = join(folder, 'late.csv')
    const { code, ...summary } = solveJson([...minimise, '--timeout=500ms', `--output=${output}`])
    expect(code).toBe(0)
    expect(summary.ended).toBe('time-spent')
    isPlanOf(summary, output)
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('is written after %s', async (signal) => {
    const output = join(folder, `${signal}.csv`)
    const killed = await interrupted(['solve', '--json', ...minimise, `--output=${output}`], 500, { signal })
    expect(killed).toMatchObject({ code: 0, err: '' })
    const summary = JSON.parse(killed.out) as Summary
    expect(summary.ended).toBe('cancelled')
    isPlanOf(summary, output)
  })

  it('counts only if it is within the capacity, and is written all the same', () => {
    const output = join(folder, 'above.csv')
    const { code, ...above } = solveJson([...minimise, '--capacity=1320000', '--steps=2000', `--output=${output}`])
    expect(code).toBe(3)
    expect(above).toMatchObject({ outcome: 'budget-spent', ended: 'budget-spent' })
    expect(above.height).toBeGreaterThan(1320000)
    expect(arenascope(['check', `--capacity=${above.height}`, output]).code).toBe(0)
  })

  it('goes on where the parent ignores the signal', async () => {
    const ignoring = { script: `trap '' INT; exec "$@"` }
    const done = await interrupted(['solve', '--json', ...minimise, '--timeout=1500ms'], 50, ignoring)
    expect((JSON.parse(done.out) as Summary).seconds).toBeGreaterThan(1)
    expect(done).toMatchObject({ code: 0, sent: true })
  })
})

describe('setting up a search', () => {
  it.each([
    ['telamalloc', 'c470ff1ed58e7e90'],
    ['simple', '4142e4afa8d9635e'],
  ])('needs no memory for each pair: %s', (solver, digest) => {
    const many = join(folder, `many-${solver}.csv`)
    arenascope(['generate', 'random', '--n=40000', '--seed=1', `--output=${many}`])
    const args = ['solve', '--json', `--solver=${solver}`, '--steps=10', '--capacity=52101568000', many]
    const answer = inShell('ulimit -v 150000; exec "$@"', args)
    expect(answer).toMatchObject({ code: 3, err: '' })
    expect((JSON.parse(answer.out) as Summary).digest).toBe(digest)
  })
})

describe('a first step that takes minutes', () => {
  it.each(['telamalloc', 'simple'])(
    'ends when its time is over: %s',
    (solver) => {
      // what is fixed at the bottom moves all the others, each of which looks at all of them: 40,000,000,000 looks before the first decision
      const slow = join(folder, `slow-${solver}.csv`)
      const rows = Array.from({ length: 200_000 }, (_, k) => `b${k},0,9,1,\n`).join('')
      writeFileSync(slow, `id,lower,upper,size,offset\nbase,0,9,1000000000,0\n${rows}`)
      const solve = (timeout: number) => {
        const args = ['solve', '--json', `--solver=${solver}`, `--timeout=${timeout}s`, '--capacity=1000300000', slow]
        return inShell('ulimit -t 30; exec "$@"', args)
      }
      let answer = solve(2)
      // on a busy machine the time may be over before all is read
      for (let timeout = 4; timeout <= 32 && answer.out === ''; timeout *= 2) answer = solve(timeout)
      expect(answer.code).toBe(3)
      expect(JSON.parse(answer.out)).toMatchObject({ ended: 'time-spent', steps: 0 })
    },
    120_000,
  )
})

describe('reading', () => {
  it('ends at once when it is interrupted, with words', async () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const killed = await interrupted(['solve', '--capacity=12', '-'], 300, { signal, waits: true })
      expect(killed).toMatchObject({ signal, out: '', err: 'arenascope: interrupted, nothing was written\n' })
    }
  })

  it('is part of the time', () => {
    const silent = 'mkfifo "$0" && exec 3<>"$0" && rm "$0" && exec "$@" <&3'
    for (const verb of ['solve', 'explain']) {
      const args = [verb, '--capacity=12', '--timeout=200ms', '-']
      const late = inShell(silent.replaceAll('$0', join(folder, verb)), args)
      expect(late).toMatchObject({ code: 3, out: '' })
      expect(late.err).toBe('arenascope: -: the time of --timeout was over before all was read\n')
    }
    const long = `id,lower,upper,size\n${Array.from({ length: 20000 }, (_, k) => `b${k},0,1,1\n`).join('')}`
    writeFileSync(join(folder, 'long.csv'), long)
    const late = arenascope(['solve', '--capacity=12', '--timeout=1ns', join(folder, 'long.csv')])
    expect(late).toMatchObject({ code: 3, out: '' })
    expect(late.err).toContain('the time of --timeout was over before all was read')
  })

  it('has a limit that is said', () => {
    const endless = arenascope(['stats', '/dev/zero'])
    expect(endless).toMatchObject({ code: 2, out: '' })
    expect(endless.err).toBe('arenascope: /dev/zero: is larger than 536,870,912 bytes, the most that is read\n')
  }, 60_000)
})

describe('an output file', () => {
  const rows = (count: number) =>
    `id,lower,upper,size\n${Array.from({ length: count }, (_, k) => `buffer${k},${k},${k + 1},1\n`).join('')}`

  it('stays whole when there is no room for the new one', () => {
    const { file, files } = room('full')
    const path = file('problem.csv')
    const limited = (args: string[]) => inShell('ulimit -f 4; exec "$@"', [...args, `--output=${path}`, path])
    const full = { code: 2, out: '', err: expect.stringMatching(/\.csv: File too large\n$/) }
    writeFileSync(path, rows(3000))
    expect(limited(['solve', '--capacity=12', '--solver=large'])).toMatchObject(full)
    expect(read(path)).toBe(rows(3000))
    const long = `id,lower,upper,size,note\na,0,1,9,${'x'.repeat(5000)}\n`
    writeFileSync(path, long)
    expect(limited(['explain', '--capacity=8'])).toMatchObject(full)
    expect(read(path)).toBe(long)
    expect(files()).toEqual(['problem.csv'])
  })

  it('is not there at all when there is no room for a first one', () => {
    const { file, files } = room('none')
    const full = inShell('ulimit -f 1; exec "$@"', ['generate', 'random', '--n=1000', `--output=${file('x.csv')}`])
    expect(full).toMatchObject({ code: 2, out: '', err: `arenascope: ${file('x.csv')}: File too large\n` })
    expect(files()).toEqual([])
  })

  it('has a name', () => {
    const { file, files } = room('nameless')
    writeFileSync(file('p.csv'), read(five))
    for (const flag of ['--output=', '--trace=']) {
      const nameless = inShell(`cd '${file('')}' && "$@"`, ['solve', '--capacity=12', flag, 'p.csv'])
      expect(nameless).toEqual({ code: 2, out: '', err: 'arenascope: an empty path: No such file or directory\n' })
    }
    expect(files()).toEqual(['p.csv'])
  })

  it('may be the input', () => {
    const { file, files } = room('same')
    writeFileSync(file('p.csv'), read(five))
    expect(arenascope(['solve', '--capacity=12', `--output=${file('p.csv')}`, file('p.csv')]).code).toBe(0)
    expect(read(file('p.csv'))).toContain('b5,0,21,4,0\n')
    expect(files()).toEqual(['p.csv'])
  })

  it('keeps its permissions, and a new one has those of the shell', () => {
    const { file } = room('modes')
    writeFileSync(file('old.csv'), 'old')
    chmodSync(file('old.csv'), 0o604)
    for (const name of ['old.csv', 'new.csv'])
      inShell('umask 027; exec "$@"', ['generate', 'random', '--n=2', `--output=${file(name)}`])
    expect(statSync(file('old.csv')).mode & 0o777).toBe(0o604)
    expect(statSync(file('new.csv')).mode & 0o777).toBe(0o640)
  })

  it('is found behind links', () => {
    const { file, files } = room('links')
    mkdirSync(file('deep'))
    writeFileSync(file('deep/old.csv'), 'old')
    symlinkSync('deep/old.csv', file('link.csv'))
    symlinkSync('deep/none.csv', file('dangling.csv'))
    for (const name of ['link.csv', 'dangling.csv']) {
      expect(arenascope(['generate', 'random', '--n=2', `--output=${file(name)}`]).code).toBe(0)
      expect(lstatSync(file(name)).isSymbolicLink()).toBe(true)
      expect(read(file(name))).toMatch(/^id,lower/)
    }
    expect(files()).toEqual(['dangling.csv', 'deep', 'link.csv'])
    expect(readdirSync(file('deep')).sort()).toEqual(['none.csv', 'old.csv'])
  })

  it('may be a pipe, a device or standard output by name', () => {
    const made = arenascope(['generate', 'random', '--n=2']).out
    const through = (path: string, after: string) =>
      inShell(`"$@" --output=${path} ${after}`, ['generate', 'random', '--n=2'])
    expect(through('/dev/stdout', '')).toMatchObject({ code: 0, out: made })
    const { file } = room('pipe')
    expect(through('/dev/stdout', `> ${file('redirected.csv')}`).code).toBe(0)
    expect(read(file('redirected.csv'))).toBe(made)
    expect(through('/dev/fd/3', `3>&1 >/dev/null | cat`).out).toBe(made)
    expect(through('/dev/null', '').code).toBe(0)
    expect(through('/dev/full', '')).toMatchObject({ code: 2, err: 'arenascope: /dev/full: No space left on device\n' })
    expect(through(file(''), '')).toMatchObject({ code: 2 })
  })

  it('is looked at before the search', () => {
    const begin = Date.now()
    const answer = arenascope(['solve', ...minimise, '--timeout=30s', '--output=/no/such/folder/x.csv'])
    expect(answer).toMatchObject({
      code: 2,
      out: '',
      err: 'arenascope: /no/such/folder/x.csv: No such file or directory\n',
    })
    expect(Date.now() - begin).toBeLessThan(15_000)
  })

  it('stays whole when the command is killed while it writes', async () => {
    const { file, files } = room('killed')
    const path = file('p.csv')
    const make = (seed: number, to: string) => ['generate', 'random', '--n=200000', `--seed=${seed}`, `--output=${to}`]
    const [before, after] = [1, 2].map((seed) => arenascope(make(seed, '-')).out)
    writeFileSync(path, before ?? '')
    for (let milliseconds = 5; milliseconds < 2000; milliseconds *= 1.3) {
      const { code } = await interrupted(make(2, path), milliseconds, { signal: 'SIGTERM', byClock: true })
      expect(files()).toEqual(['p.csv'])
      expect([before, after].includes(read(path))).toBe(true)
      if (code === 0) break
    }
  }, 60_000)

  it('says that no one reads standard output', () => {
    const broken = inShell('{ "$@"; echo $? >&2; } | sleep 0.2', ['generate', 'random', '--n=20000'])
    expect(broken.err).toBe('arenascope: -: Broken pipe\n2\n')
  })
})
