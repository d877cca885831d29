/** Certificates: what exact proves, `arenascope check` and a second checker, in Python and from the format's page alone, find to hold. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { arenascope, example, folder, read, root, solveJson } from './command'
import { execute } from './small_shell'

const six = join(folder, 'six.csv')
writeFileSync(six, 'id,lower,upper,size\na,4,6,1\nb,1,4,4\nc,0,5,1\nd,3,6,1\ne,7,8,3\nf,4,8,3\n')
function inPython(problem: string, proof: string): number {
  const { status, stdout, stderr } = execute('python3', [join(root, 'tests/cli/check_proof.py'), problem, proof])
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
  return Number(stdout)
}
/** What the second checker says of several about one problem. */
function allInPython(problem: string, proofs: string[]): string[] {
  const { stdout, stderr } = execute('python3', [join(root, 'tests/cli/check_proof.py'), problem, ...proofs])
  if (stderr) throw new Error(stderr)
  return stdout.trimEnd().split('\n')
}

/** Problems with certificates about each: what is said of them, and their lines without the first two. */
function writtenByHand(): { csv: string; count: number; given: { verdict: string; lines: string }[] }[] {
  const problems: ReturnType<typeof writtenByHand> = []
  for (const block of read(join(root, 'tests/corpus/certificates.txt')).trimEnd().split('\n\n')) {
    const end = block.indexOf('\n')
    const [verdict, lines] = [block.slice(0, end), `${block.slice(end + 1)}\n`]
    if (verdict === 'problem') problems.push({ csv: lines, count: lines.split('\n').length - 2, given: [] })
    else if (!verdict.startsWith('#')) problems.at(-1)?.given.push({ verdict, lines })
  }
  return problems
}

/** Numbers below a limit, the same each time. */
function random(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state * 1103515245 + 12345) % 2147483648
    return Math.floor((state / 2147483648) * limit)
  }
}

/** A problem of `count` buffers with alignments, gaps, banks and fixed offsets, the same each time. */
function mixed(seed: number, count: number): string {
  const below = random(seed)
  const rows = Array.from({ length: count }, (_, k) => {
    const lower = below(9)
    const upper = lower + 1 + below(8)
    const gaps = upper - lower > 3 && below(4) === 0 ? `${lower + 1}-${upper - 1}` : ''
    const special = seed % 2 ? below(12) : 12
    return [
      `b${k}`,
      lower,
      upper,
      1 + below(9),
      [1, 1, 2, 4][below(4)],
      special === 0 ? 16 : '',
      gaps,
      special === 1 ? 8 : '',
    ]
  })
  const path = join(folder, `mixed-${seed}-${count}.csv`)
  writeFileSync(
    path,
    `id,lower,upper,size,alignment,bank,gaps,offset\n${rows.map((row) => row.join(',')).join('\n')}\n`,
  )
  return path
}

/** A problem whose every section is full: at each time some end and others of the same sizes in all begin. */
function full(seed: number, sections: number, load: number): string {
  const below = random(seed)
  const rows: string[] = []
  let alive: [lower: number, size: number][] = []
  for (let time = 0, missing = load; time <= sections; time++) {
    if (time > 0) {
      const stay = time < sections ? alive.filter(() => below(4) > 0) : []
      for (const [lower, size] of alive.filter((one) => !stay.includes(one)))
        rows.push(`b${rows.length},${lower},${time},${size}`)
      alive = stay
      missing = load - stay.reduce((sum, [, size]) => sum + size, 0)
    }
    while (missing > 0 && time < sections) {
      const size = Math.min(missing, 2 + below(6))
      alive.push([time, size])
      missing -= size
    }
  }
  const path = join(folder, `full-${seed}.csv`)
  writeFileSync(path, `id,lower,upper,size\n${rows.join('\n')}\n`)
  return path
}

describe('a certificate', () => {
  it('says that there is no plan', () => {
    const proof = join(folder, 'six.proof')
    const { code, ...found } = solveJson(['--solver=exact', '--capacity=5', `--proof=${proof}`, six])
    expect({ code, proven: found.proven }).toEqual({ code: 1, proven: 5 })
    expect(read(proof)).toBe('arenascope-proof 1\nbuffers 6\nwithin 5\nlemma 1 2:0 1:0 3:0 !3\nnone 5 L1\n')
    expect(arenascope(['check', `--proof=${proof}`, six])).toEqual({
      code: 0,
      out: 'the certificate holds: no plan is within 5 bytes\n',
      err: '',
    })
    expect(arenascope(['check', '--json', '--capacity=6', `--proof=${proof}`, six])).toEqual({
      code: 1,
      out: '{"valid":false,"buffers":6,"proven":5}\n',
      err: '',
    })
  })

  it('makes a plan one that is known to be optimal', () => {
    const [proof, plan] = [join(folder, 'five.proof'), join(folder, 'five-plan.csv')]
    const problem = example('five.csv')
    const solved = arenascope([
      'solve',
      '--solver=exact',
      '--minimize',
      '--capacity=100',
      `--proof=${proof}`,
      `--output=${plan}`,
      problem,
    ])
    expect(solved.out).toMatch(/^optimal: [\s\S]*\n {2}certificate {2}no plan within 11\n/)
    const checked = arenascope(['check', '--capacity=12', `--proof=${proof}`, `--problem=${problem}`, plan])
    expect(checked).toMatchObject({ code: 0, err: '' })
    expect(checked.out).toContain('no plan is within 11 bytes: the plan is optimal\n')
    const json = arenascope(['check', '--json', `--proof=${proof}`, `--problem=${problem}`, plan])
    expect(JSON.parse(json.out)).toMatchObject({ valid: true, height: 12, proven: 11, optimal: true })
  })

  it.each([
    [2, 14],
    [3, 14],
    [4, 18],
    [5, 16],
    [6, 24],
  ])('is believed by two checkers: seed %i, %i buffers', (seed, count) => {
    const problem = mixed(seed, count)
    const proof = `${problem}.proof`
    const found = solveJson([
      '--solver=exact',
      '--minimize',
      '--capacity=1000',
      '--steps=30000',
      `--proof=${proof}`,
      problem,
    ])
    expect(found.code).toBeLessThan(2)
    expect(found.proven).toBe((found.outcome === 'infeasible' ? 1001 : found.lowerBound) - 1)
    expect(arenascope(['check', `--proof=${proof}`, problem]).code).toBe(0)
    expect(inPython(problem, proof)).toBe(found.proven)
  })

  it('is of the same steps where only rounded sizes count', () => {
    const below = random(7)
    const rows = Array.from({ length: 16 }, (_, k) => {
      const lower = below(13)
      return `b${k},${lower},${lower + 2 + below(9)},${20 + below(281)},64`
    })
    const [problem, proof] = [join(folder, 'rounded.csv'), join(folder, 'rounded.proof')]
    writeFileSync(problem, `id,lower,upper,size,alignment\n${rows.join('\n')}\n`)
    const words = ['--solver=exact', '--minimize', '--capacity=100000']
    const [without, found] = [solveJson([...words, problem]), solveJson([...words, `--proof=${proof}`, problem])]
    expect(found).toMatchObject({ outcome: 'optimal', steps: without.steps, proven: Number(found.height) - 1 })
    expect(read(proof)).toMatch(/^within \d+ \/64 <\d+$/m)
    expect(inPython(problem, proof)).toBe(found.proven)
  })

  it.each([
    ['within 9 <5 /4', 'words in another order'],
    ['within 9 /-4', 'a grain below nothing'],
    ['within 9 /0', 'a grain of nothing'],
    ['within 9 /4 <9', 'a limit above the last whole grain'],
    ['within 9 /4 <5 <9', 'two limits'],
    ['within -9', 'less than nothing'],
  ])('is not believed where it begins with "%s": %s', (line) => {
    const [problem, proof] = [join(folder, 'one.csv'), join(folder, 'one.proof')]
    writeFileSync(problem, 'id,lower,upper,size,alignment\na,0,1,9,4\n')
    writeFileSync(proof, `arenascope-proof 1\nbuffers 1\n${line}\nlemma 1 0:0 #0\nnone 9 L1\n`)
    expect(arenascope(['check', `--proof=${proof}`, problem]).code).toBe(1)
    expect(() => inPython(problem, proof)).toThrow('does not hold')
  })

  it.each(writtenByHand().map((problem, k) => ({ ...problem, k })))(
    'written by hand is judged alike by both checkers: problem $k',
    ({ csv, count, given, k }) => {
      const problem = join(folder, `by-hand-${k}.csv`)
      writeFileSync(problem, csv)
      const proofs = given.map(({ lines }, n) => {
        const proof = join(folder, `by-hand-${k}-${n}.proof`)
        writeFileSync(proof, `arenascope-proof 1\nbuffers ${count}\n${lines}`)
        return proof
      })
      expect(proofs.length).toBeGreaterThan(0)
      const verdicts = allInPython(problem, proofs).map((said) =>
        said.startsWith('does not hold') ? 'refused' : `holds ${said}`,
      )
      expect(verdicts).toEqual(given.map(({ verdict }) => verdict.replace(/^refused .*/, 'refused')))
    },
  )

  it('rises by piles, in either checker', () => {
    const text = read(join(root, 'tests/fuzz/corpus/fuzz_proof/lemmas_36'))
    const [problem, proof] = [join(folder, 'piled.csv'), join(folder, 'piled.proof')]
    const begin = text.indexOf('arenascope-proof')
    writeFileSync(problem, text.slice(0, begin))
    writeFileSync(proof, text.slice(begin))
    expect(arenascope(['check', `--proof=${proof}`, problem])).toMatchObject({ code: 0, err: '' })
    expect(inPython(problem, proof)).toBe(18)
    writeFileSync(proof, text.slice(begin).replace('r1:2:10', 'r1:2:11'))
    expect(arenascope(['check', `--proof=${proof}`, problem]).err).toContain('in some pile the buffer lies lower')
    expect(() => inPython(problem, proof)).toThrow('it lies lower in some pile')
  })

  it.each([
    [4, 18, 40],
    [14, 22, 40],
    [17, 22, 32],
  ])('tells of exchanges in a word: seed %i', (seed, sections, load) => {
    const problem = full(seed, sections, load)
    const proof = `${problem}.proof`
    expect(solveJson(['--solver=exact', `--capacity=${load}`, `--proof=${proof}`, problem]).proven).toBe(load)
    expect(read(proof)).toMatch(/ x1:\d+:\d+/)
    expect(arenascope(['check', `--capacity=${load}`, `--proof=${proof}`, problem]).code).toBe(0)
    expect(inPython(problem, proof)).toBe(load)
    writeFileSync(proof, read(proof).replace(/ x1(:\d+:\d+).*/, ' x1$1'))
    expect(arenascope(['check', `--proof=${proof}`, problem]).err).toContain('there is a way')
    expect(() => inPython(problem, proof)).toThrow('there is a way')
  })

  it('is not believed of another problem, nor with another word', () => {
    const problem = mixed(4, 18)
    const proof = `${problem}.other`
    solveJson(['--solver=exact', '--minimize', '--capacity=1000', '--steps=30000', `--proof=${proof}`, problem])
    const wrong = join(folder, 'wrong.csv')
    writeFileSync(wrong, read(problem).replace(/^(b\d+,\d+,\d+),\d+/gm, '$1,1'))
    const other = arenascope(['check', `--proof=${proof}`, wrong])
    const changed = `${proof}.changed`
    writeFileSync(changed, read(proof).replace(/^(lemma .*) [!#Lp]\d+$/gm, '$1'))
    for (const answer of [other, arenascope(['check', `--proof=${changed}`, problem])]) {
      expect(answer).toMatchObject({ code: 1, out: '' })
      expect(answer.err).toMatch(/:\d+: .*: the certificate does not hold\n$/)
    }
    expect(() => inPython(problem, changed)).toThrow('does not hold')
  })

  it('is refused at once where its piles would take for ever, and where nobody is piled', () => {
    const [problem, proof] = [join(folder, 'piles.csv'), join(folder, 'piles.proof')]
    const all = Array.from({ length: 16 }, (_, k) => k)
    writeFileSync(
      problem,
      `id,lower,upper,size,alignment,bank\n${all.map((k) => `b${k},0,1,4096,4095,4096\n`).join('')}`,
    )
    const piles = (count: number, time: number) => {
      const pile = `${all.map((k) => `${k}:0`).join(' ')} p${time}`
      const lines = Array.from({ length: count }, (_, k) => `lemma ${k + 1} ${pile}\nnone 4096 L${k + 1}\n`)
      writeFileSync(proof, `arenascope-proof 1\nbuffers 16\nwithin 4096\n${lines.join('')}`)
    }
    piles(1, 0)
    expect(arenascope(['check', '--json', `--proof=${proof}`, problem]).code).toBe(0)
    expect(inPython(problem, proof)).toBe(4096)
    piles(2000, 0)
    expect(arenascope(['check', `--proof=${proof}`, problem]).err).toContain('there are too many piles')
    expect(() => inPython(problem, proof)).toThrow('too many piles')
    piles(1, 1)
    expect(arenascope(['check', `--proof=${proof}`, problem]).err).toContain('the pile fits there')
    expect(() => inPython(problem, proof)).toThrow('no pile')
  })

  it('of far offsets is believed by two checkers', () => {
    const [problem, proof] = [join(folder, 'far.csv'), join(folder, 'far.proof')]
    writeFileSync(problem, 'id,lower,upper,size,alignment,bank\na,0,1,65536,65535,65536\nb,0,1,65536,65535,65536\n')
    const found = solveJson(['--solver=exact', '--minimize', '--capacity=9000000000', `--proof=${proof}`, problem])
    expect(found).toMatchObject({ outcome: 'optimal', proven: 65536 * 65536 - 1 })
    expect(arenascope(['check', `--proof=${proof}`, problem]).code).toBe(0)
    expect(inPython(problem, proof)).toBe(65536 * 65536 - 1)
  })

  it('is believed where the greatest height of all is asked for, and what rounding adds lies above it', () => {
    const [problem, proof] = [join(folder, 'highest.csv'), join(folder, 'highest.proof')]
    writeFileSync(problem, 'id,lower,upper,size,alignment,offset\na,1,3,9007199254740736,238,0\nb,0,2,234,119,\n')
    const ways = ['--solver=exact', '--minimize', '--capacity=9007199254740962', `--proof=${proof}`]
    expect(solveJson([...ways, problem])).toMatchObject({ outcome: 'infeasible', proven: 2 ** 53 - 1 })
    expect(read(proof)).toContain('within 9007199254741079 /119 <9007199254740991\n')
    expect(arenascope(['check', `--proof=${proof}`, problem]).code).toBe(0)
    expect(inPython(problem, proof)).toBe(2 ** 53 - 1)
  })

  it('of buffers with gaps before time 0 is believed by two checkers', () => {
    const [problem, proof] = [join(folder, 'early.csv'), join(folder, 'early.proof')]
    writeFileSync(problem, 'id,lower,upper,size,gaps\na,-9,-1,4,-8--6\nb,-9,-1,4,\n')
    expect(solveJson(['--solver=exact', '--capacity=7', `--proof=${proof}`, problem]).proven).toBe(7)
    expect(arenascope(['check', `--proof=${proof}`, problem]).code).toBe(0)
    expect(inPython(problem, proof)).toBe(7)
  })

  it('is also one of the set that explain names', () => {
    const [set, proof] = [join(folder, 'set.csv'), join(folder, 'set.proof')]
    expect(arenascope(['explain', '--capacity=16', `--output=${set}`, example('infeasible-32.csv')]).code).toBe(1)
    expect(solveJson(['--solver=exact', '--capacity=16', `--proof=${proof}`, set]).proven).toBe(16)
    expect(arenascope(['check', '--capacity=16', `--proof=${proof}`, set]).code).toBe(0)
    expect(inPython(set, proof)).toBe(16)
  })

  it('of loads is left by every solver, and none where nothing is proven', () => {
    const proof = join(folder, 'load.proof')
    expect(solveJson(['--solver=minimalloc', '--capacity=5', `--proof=${proof}`, six]).proven).toBe(5)
    expect(arenascope(['check', `--proof=${proof}`, six]).code).toBe(0)
    const none = join(folder, 'none.proof')
    expect(solveJson(['--solver=exact', '--capacity=100', `--proof=${none}`, six]).proven).toBe(null)
    expect(existsSync(none)).toBe(false)
  })

  it('is refused where there is none', () => {
    const proof = `--proof=${join(folder, 'refused.proof')}`
    const least = arenascope(['solve', '--solver=exact', '--minimize_capacity', proof, six])
    expect(least).toMatchObject({ code: 2, err: expect.stringMatching(/--proof: is of one search/) })
    const windows = 'id,lower,upper,size,gaps\na,0,5,4,1-2@0:1\n'
    const windowed = arenascope(['solve', '--solver=exact', '--capacity=9', proof, '-'], windows)
    expect(windowed).toMatchObject({ code: 2, err: expect.stringMatching(/gaps with windows/) })
    expect(existsSync(join(folder, 'refused.proof'))).toBe(false)
  })
})
