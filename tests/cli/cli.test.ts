import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { arenascope, example, folder, interrupted, read, solveJson } from './command'

const five = example('five.csv')
const fivePlan = 'id,lower,upper,size,offset\nb1,0,3,4,8\nb2,3,9,4,8\nb3,0,9,4,4\nb4,9,21,4,4\nb5,0,21,4,0\n'

describe('solve', () => {
  it('writes the offsets and says what it found', () => {
    const output = join(folder, 'five.csv')
    const { code, ...summary } = solveJson(['--capacity=12', `--input=${five}`, `--output=${output}`, '--validate'])
    expect(code).toBe(0)
    expect(summary).toMatchObject({
      solver: 'minimalloc',
      outcome: 'optimal',
      capacity: 12,
      height: 12,
      lowerBound: 12,
    })
    expect(summary).toMatchObject({ buffers: 5, sections: 3, backtracks: 0, valid: true })
    expect(summary.digest).toMatch(/^[0-9a-f]{16}$/)
    expect(summary.seconds).toBeGreaterThanOrEqual(0)
    expect(read(output)).toBe(fivePlan)
  })

  it('names the command that reads models', () => {
    const tflite = join(folder, 'net.tflite')
    writeFileSync(tflite, '\u001c\0\0\0TFL3\0\0\0\0')
    expect(arenascope(['solve', '--capacity=12', tflite])).toMatchObject({
      code: 2,
      err: expect.stringContaining(`this is a TFLite model, read by npx arenascope solve ${tflite}`),
    })
    const onnx = join(folder, 'net.onnx')
    writeFileSync(onnx, '\b\t:\0')
    expect(arenascope(['stats', onnx]).err).toContain('this is an ONNX model')
    const pte = join(folder, 'net.pte')
    writeFileSync(pte, '\u001c\0\0\0ET12\0\0\0\0')
    expect(arenascope(['stats', pte]).err).toContain('this is a program of ExecuTorch, read by')
    const snapshot = join(folder, 'net.pickle')
    writeFileSync(snapshot, Uint8Array.of(0x80, 4, 0x7d, 0x2e))
    expect(arenascope(['stats', snapshot]).err).toContain("this is a pickle of Python's, read by")
    const log = join(folder, 'net.log')
    const texts = [
      ['Warning: no system configuration\nStart Time - End Time  : Start Addr\n', "a log of Vela's"],
      ['BufferAssignment:\nallocation 0: size 8\n', "XLA's buffer assignment"],
      ['HloLiveRange (max 104):\n', "XLA's live ranges"],
      ['// IR Dump\n%0 = stream.resource.pack offset(1)\n', "IREE's intermediate code"],
      ['{\n  "traceEvents": [\n', 'a trace of events'],
    ]
    for (const [text, kind] of texts) {
      writeFileSync(log, text ?? '')
      expect(arenascope(['stats', log]).err).toContain(`this is ${kind}, read by npx arenascope`)
    }
    // a table with a mistake is none of these
    writeFileSync(log, 'id,lower,upper,size\nBufferAssignment:,0,x,4\n')
    expect(arenascope(['stats', log]).err).toContain(':2:')
  })

  it('reads standard input and writes standard output', () => {
    const answer = arenascope(['solve', '--capacity', '12', '--input', '-', '--output', '-'], read(five))
    expect(answer).toMatchObject({ code: 0, out: fivePlan })
    expect(answer.err).toMatch(/^optimal: /)
  })

  it('tells infeasible from undecided', () => {
    expect(solveJson(['--capacity=11', five])).toMatchObject({ code: 1, outcome: 'infeasible', height: null })
    expect(solveJson(['--capacity=0', five])).toMatchObject({ code: 1, outcome: 'infeasible' })
    expect(solveJson(['--capacity=12', '--steps=2', five])).toMatchObject({
      code: 3,
      outcome: 'budget-spent',
      steps: 2,
    })
    expect(solveJson(['--capacity=12', '--timeout=0', five])).toMatchObject({ code: 3, outcome: 'time-spent' })
    expect(arenascope(['solve', '--capacity=12', '--timeout=0', five])).toMatchObject({
      code: 3,
      out: expect.stringMatching(/^time-spent: the time of --timeout was over; feasible or not is open\n/),
    })
    const misses = solveJson(['--capacity=960', '--solver=greedy', example('greedy-misses.csv')])
    expect(misses).toMatchObject({ code: 3, outcome: 'over-capacity' })
  })

  it('says how much more than the capacity the lowest plan takes, which is valid all the same', () => {
    const answer = arenascope(['solve', '--solver=exact', '--minimize', '--capacity=5', '--validate', five])
    expect(answer.code).toBe(0)
    expect(answer.out).toMatch(/height +12, 7 more than the capacity\n(.*\n)* +validation +PASS\n/)
  })

  it('writes the lowest plan that it has, however high it is and however its search ended', () => {
    const large = ['solve', '--solver=large', '--minimize', '--steps=2000', '--validate', '--output=-']
    const answer = arenascope([...large, '--capacity=16', example('infeasible-32.csv')])
    expect(answer).toMatchObject({ code: 3, out: expect.stringMatching(/^id,lower,upper,size,offset\n/) })
    expect(answer.err).toMatch(
      /^budget-spent(.*\n)+ +height +17, 1 more than the capacity\n(.*\n)+ +validation +PASS\n/,
    )
    const chain = 'tensor,x,3,input\ntensor,a,2\ntensor,y,2,output\nop,o0,A,x,a\nop,o1,A,a,y\n'
    const least = arenascope(['solve', '--solver=cosma', '--goal=height', '--capacity=2', '--output=-', '-'], chain)
    expect(least).toMatchObject({ code: 0, out: expect.stringMatching(/^tensor,turn,pool,/) })
    expect(least.err).toMatch(/^optimal(.*\n)+ +height +5, 3 more than the capacity\n/)
  })

  it('writes no plan where there is none', () => {
    const answer = arenascope(['solve', '--capacity=11', '--output=-', five])
    expect(answer).toMatchObject({ code: 1, out: '' })
  })

  it('keeps the columns that it does not know', () => {
    const given = 'op;id;start;end;size\nconv;"a;b";0;2;4\nadd;c;1;3;4\n'
    const answer = arenascope(['solve', '--capacity=8KiB', '--input=-', '--output=-'], given)
    expect(answer.out).toBe('id,lower,upper,size,op,offset\n"a;b",0,3,4,conv,0\nc,1,4,4,add,4\n')
    expect(answer.err).toContain('column end: inclusive, 1 was added')
  })

  it('reads what other tools write, and takes it as it is told', () => {
    const as = (text: string, ...flags: string[]) =>
      arenascope(['solve', '--capacity=99', '--output=-', ...flags, '-'], text)
    const named = 'name;start;end;bytes\na;0;3;0x10\n'
    expect(as(named)).toMatchObject({
      code: 0,
      out: 'id,lower,upper,size,offset\na,0,4,16,0\n',
      err: expect.stringContaining(
        '-: column name taken as id; column bytes taken as size; column end: inclusive, 1 was added; hexadecimal numbers and units were read (1 KiB = 1,024 bytes) (--end=inclusive|exclusive says otherwise)\n',
      ),
    })
    expect(as(named, '--end=exclusive')).toMatchObject({ code: 0, out: 'id,lower,upper,size,offset\na,0,3,16,0\n' })
    expect(as('[{"tensor": "a", "first_use": 0, "last_use": 3, "length": 16}]').out).toBe(as(named).out)
    expect(as('a,16,9,3\n', '--columns=id,size,upper,lower').out).toContain('a,3,9,16,0')
    const floats = as('Name,Start,End,Size (bytes)\na,0.0,3.0,16.0\n')
    expect(floats).toMatchObject({ code: 0, out: as(named).out, err: expect.not.stringContaining('units were read') })
    expect(as('id,lower,upper,size\na,0.5,3,16\n').err).toContain('lower is “0.5”, expected a whole number')
    expect(as(named, '--end=both')).toMatchObject({
      code: 2,
      err: expect.stringContaining('expected inclusive or exclusive'),
    })
    expect(as(named, '--columns=').code).toBe(2)
  })

  it('takes options in every form', () => {
    const file = example('rule-canonical.csv')
    const base = solveJson(['--capacity=12', file])
    expect(base.rules.canonical).toBeGreaterThan(0)
    for (const form of ['--canonical_only=false', '--nocanonical_only', '-canonical_only=no', '--canonical_only=0']) {
      const other = solveJson(['--capacity=12', file, form])
      expect(other.rules.canonical).toBeUndefined()
      expect(other.digest).not.toBe(base.digest)
    }
    expect(solveJson(['--capacity=12', file, '--canonical_only']).digest).toBe(base.digest)
    const split = solveJson(['--preordering_heuristics', 'TWA', '--capacity', '12', file])
    expect(split.digest).toBe(solveJson(['--preordering_heuristics=TWA', '--capacity=12', file]).digest)
    // a switch of task CSVs, and a number of COSMA's
    const whole = arenascope(['stats', '--whole=true', example('tiles.csv')])
    expect(whole.code).toBe(0)
    expect(arenascope(['stats', '--whole', example('tiles.csv')])).toEqual(whole)
    expect(arenascope(['solve', '--capacity=1', '--solver=cosma', '--whole', '7', file]).err).not.toContain('operand')
  })

  it('cancels a long run from outside', async () => {
    const file = join(folder, 'long.csv')
    const capacity = arenascope(['generate', 'network', '--n=400', '--seed=0', `--output=${file}`])
      .out.split(' ')[1]
      ?.trim()
    const args = ['--json', `--capacity=${capacity}`, file]
    const late = solveJson([...args.slice(1), '--timeout=100ms'])
    expect(late).toMatchObject({ code: 3, outcome: 'time-spent', height: null })
    expect(late.seconds).toBeLessThan(5)
    const killed = await interrupted(['solve', ...args], 300)
    expect(killed.code).toBe(3)
    expect(JSON.parse(killed.out)).toMatchObject({ outcome: 'cancelled' })
    expect(killed.err).toBe('') /* no progress where there is no terminal */
  }, 60_000)

  it('looks for the least capacity and proves it', () => {
    const least = solveJson(['--minimize_capacity', '--validate', example('aligned.csv')])
    expect(least).toMatchObject({ code: 0, outcome: 'optimal', height: 520, lowerBound: 520, valid: true })
    expect(least.runs).toBeGreaterThan(1)
    expect(solveJson(['--capacity=519', example('aligned.csv')])).toMatchObject({ code: 1, outcome: 'infeasible' })
    expect(solveJson(['--minimize_capacity', '--capacity=4', example('infeasible.csv')])).toMatchObject({ code: 1 })
  })

  it('never takes a spent budget for a proof', () => {
    const least = solveJson(['--minimize_capacity', '--capacity=600', '--steps=30', example('aligned.csv')])
    expect(least).toMatchObject({ code: 0, outcome: 'feasible' })
    expect(least.lowerBound).toBeLessThan(520)
    expect(least.height).toBeGreaterThanOrEqual(520)
    const words = arenascope(['solve', '--minimize_capacity', '--capacity=600', '--steps=30', example('aligned.csv')])
    expect(words.out).toMatch(
      /^feasible: [\s\S]*\n {2}least height \d+ to \d+, a gap of \d+ in which nothing is proven\n {2}ended {8}budget-spent\n/,
    )
  })
})

describe('in place of minimalloc', () => {
  it('takes its flags without a verb and prints what it prints', () => {
    const output = join(folder, 'drop-in.csv')
    const flags = ['--capacity=12', `--input=${five}`, `--output=${output}`, '--timeout=10s', '--validate']
    const rules = ['canonical_only', 'section_inference', 'dynamic_ordering', 'check_dominance', 'unallocated_floor']
    const more = ['static_preordering', 'dynamic_decomposition', 'monotonic_floor', 'hatless_pruning']
    const switches = [...rules, ...more].map((rule) => `--${rule}=true`)
    const answer = arenascope([...flags, ...switches, '--preordering_heuristics=WAT,TAW,TWA'])
    expect(answer).toMatchObject({ code: 0, out: '' })
    expect(answer.err).toMatch(/^\d+\.\d{3}PASS\n$/)
    expect(read(output)).toBe(fivePlan)
  })

  it('draws the solution', () => {
    const answer = arenascope(['--capacity=14', `--input=${example('gaps.csv')}`, '--print_solution'])
    expect(answer.out).toMatch(/^\\documentclass\{article\}\n/)
    expect(answer.out.match(/\\draw\[buffer\]/g)).toHaveLength(7) /* two stays of weights, three of state, a, b */
    expect(answer.out).toContain('% weights: 8 bytes at ')
  })
})

describe('bad input', () => {
  const bad = 'id,lower,upper,size\nconv1,0,4,65536\nconv2,4,3,32768\nrelu,3,x9,32768\nadd,9,12,-64\nconv2,9,14,16384\n'

  it('names file, line, column and field', () => {
    const file = join(folder, 'bad.csv')
    writeFileSync(file, bad)
    const answer = arenascope(['solve', '--capacity=12', file])
    expect(answer).toMatchObject({ code: 2, out: '' })
    expect(answer.err).toBe(
      `${file}:3:9: upper is 3, expected more than lower, 4\n` +
        `${file}:4:8: upper is “x9”, expected a whole number\n` +
        `${file}:5:10: size is -64, expected 0 to 9,007,199,254,740,991\n` +
        `${file}:6:1: id “conv2” is already used on line 3\n` +
        'arenascope: 4 errors. Nothing was loaded.\n',
    )
  })

  it('shows twenty of many errors', () => {
    const answer = arenascope(['stats', '-'], `id,lower,upper,size\n${'a,0,x,1\n'.repeat(30)}`)
    expect(answer.code).toBe(2)
    expect(answer.err.match(/^-:/gm)).toHaveLength(21)
    expect(answer.err).toContain('-: and 39 more\narenascope: 59 errors. Nothing was loaded.\n')
  })

  it.each([
    [['solve', '--capacity=12', 'no/such.csv'], 'no/such.csv: No such file or directory'],
    [['solve', '--capacity=12', '--input='], 'an empty path: No such file or directory'],
    [['solve', '--capacity=12', '--columns=foo', five], '--columns: names no known column, expected id, lower'],
    [
      ['solve', '--capacity=12', '--output=/no/such/folder/x.csv', five],
      '/no/such/folder/x.csv: No such file or directory',
    ],
    [['solve', five], '--capacity: is missing, expected bytes'],
    [['solve', '--capacity=12'], '--input: is missing, expected a buffer CSV'],
    [['solve', '--capacity=-4', five], '--capacity: is "-4", expected bytes from 0 to'],
    [['solve', '--capacity=9007199254740992', five], '--capacity: is "9007199254740992", expected bytes'],
    [['solve', '--capacity=8796093022208KiB', five], '--capacity: is "8796093022208KiB", expected bytes'],
    [['solve', '--capacity=1', '--steps=many', five], '--steps: is "many", expected a whole number'],
    [['solve', '--capacity=1', '--timeout=10', five], '--timeout: is "10", expected a duration'],
    [['solve', '--capacity=1', '--seed=18446744073709551616', five], '--seed: is "18446744073709551616"'],
    [['solve', '--capacity=1', '--solver=none', five], '--solver: is "none"'],
    [['solve', '--capacity=1', '--frobnicate', five], '--frobnicate: neither a flag nor an option of minimalloc'],
    [
      ['solve', '--capacity=1', '--canonical_only=perhaps', five],
      'canonical_only is “perhaps”, expected true or false',
    ],
    [['solve', '--capacity=1', '--preordering_heuristics', '--json=maybe', five], 'preordering_heuristics'],
    [['solve', '--capacity=1', '--json=maybe', five], '--json: is "maybe", expected true or false'],
    [['solve', '--capacity=1', five, five], 'is one operand too many'],
    [['solve', '--capacity'], '--capacity: is missing its value'],
    [['check', five], 'expected a column offset'],
    [['check', example('tiles.csv')], 'is a task CSV, expected a buffer CSV with a column offset'],
    [['solve', '--capacity=1', `--input=${five}`, 'other.csv'], '"other.csv": is one operand too many'],
    [['stats', `--input=${five}`, 'other.csv'], '"other.csv": is one operand too many'],
    [['solve', '--capacity=1', '--budget=3', '--steps=5', five], '--budget: is the same as --steps'],
    [['solve', '--capacity=1', '--output=a.csv', '--trace=a.csv', five], '--trace: is the file of --output'],
    [['solve', '--capacity=1', '--output=a.csv', '--proof=a.csv', five], '--proof: is the file of --output'],
    [['generate', 'nothing'], 'there is no kind "nothing"'],
    [['generate', 'random', '--n=0'], '--n: is "0"'],
    [['generate', 'random', '--n=1048577'], '--n: is 1,048,577, expected at most 1,048,576'],
    [['generate'], 'the kind is missing'],
    [['solvers', 'none'], 'there is no solver "none"'],
    [['stats', '--what', five], '--what: there is no such flag'],
    [['stats', '--io=on', example('tiles.csv')], '--io: is "on", expected true or false'],
    [['sovle'], 'there is no verb "sovle"'],
    [[], 'arenascope help'],
  ])('%j', (args, message) => {
    const answer = arenascope(args)
    expect(answer).toMatchObject({ code: 2, out: '' })
    expect(answer.err).toContain(message)
  })
})

describe('check', () => {
  it('passes a plan and lists what is wrong with one', () => {
    expect(arenascope(['check', '--capacity=12', '-'], fivePlan)).toMatchObject({
      code: 0,
      out: 'valid: 5 buffers, height 12, 0 violations\n',
    })
    const wrong = 'id,lower,upper,size,alignment,offset\na,0,4,8,1,0\nb,2,6,8,4,6\n"c ""q""",5,9,8,1,\n'
    const answer = arenascope(['check', '--capacity=12', '-'], wrong)
    expect(answer.code).toBe(1)
    expect(answer.out).toBe(
      'outside: b (offset 6, size 8, alive 2 to 6)\n' +
        'misaligned: b (offset 6, size 8, alive 2 to 6), expected a multiple of 4\n' +
        'outside: c "q" (no offset)\n' +
        'overlap: a (offset 0, size 8, alive 0 to 4) and b (offset 6, size 8, alive 2 to 6)\n' +
        'invalid: 3 buffers, height 14, 4 violations\n',
    )
    const json = arenascope(['check', '--json', '--capacity=12', '-'], wrong)
    expect(JSON.parse(json.out)).toEqual({
      valid: false,
      buffers: 3,
      height: 14,
      lowerBound: 16,
      violations: [
        { kind: 'outside', buffer: 'b' },
        { kind: 'misaligned', buffer: 'b' },
        { kind: 'outside', buffer: 'c "q"' },
        { kind: 'overlap', buffer: 'a', other: 'b' },
      ],
    })
  })

  it('compares a plan with the problem that it is for', () => {
    const plan = join(folder, 'moved.csv')
    writeFileSync(plan, 'id,lower,upper,size,offset\na,0,4,8,8\nstranger,0,4,8,0\n')
    const answer = arenascope(
      ['check', `--input=${plan}`, '--problem=-'],
      'id,lower,upper,size,offset\na,0,4,8,0\nb,0,4,8,\n',
    )
    expect(answer.code).toBe(1)
    expect(answer.out).toBe(
      'moved: a (offset 8, size 8, alive 0 to 4), expected 0\noutside: b (no offset)\n' +
        'invalid: 2 buffers, height 16, 2 violations\n',
    )
    expect(answer.err).toContain('stranger: is in the plan, but not in the problem')
  })
})

describe('stats', () => {
  it('measures a problem and a plan', () => {
    const plain = JSON.parse(arenascope(['stats', '--json', five]).out)
    expect(plain).toMatchObject({
      buffers: 5,
      sections: 3,
      partitions: 1,
      lowerBound: 12,
      totalSize: 20,
      first: 0,
      last: 21,
    })
    expect(plain.peak).toEqual({ lower: 0, upper: 3, load: 12, live: 3 })
    expect(plain).not.toHaveProperty('height')
    const loose = fivePlan.replace('b1,0,3,4,8', 'b1,0,3,4,11')
    const plan = JSON.parse(arenascope(['stats', '--json', '-'], loose).out)
    expect(plan).toMatchObject({ height: 15, fragmentation: 0.25, unplaced: 0, violations: 0 })
    expect(arenascope(['stats', '-'], loose).out).toContain('  fragmentation  25.00 %\n')
  })

  it('prints the load of each section', () => {
    const loads = arenascope(['stats', '--loads', five]).out
    expect(loads).toBe('lower,upper,load,live\n0,3,12,3\n3,9,12,3\n9,21,8,2\n')
  })
})

describe('generate and help', () => {
  it('makes the same problem from the same seed, and it is solvable', () => {
    const made = arenascope(['generate', 'synthetic', '--n=30', '--seed=5'])
    expect(made.code).toBe(0)
    expect(made.out.split('\n')).toHaveLength(32)
    expect(arenascope(['generate', '--seed=5', '--n=30', 'synthetic']).out).toBe(made.out)
    expect(arenascope(['generate', 'synthetic', '--n=30', '--seed=6']).out).not.toBe(made.out)
    const capacity = /^capacity (\d+)\n$/.exec(made.err)?.[1]
    expect(solveJson([`--capacity=${capacity}`, '-'], made.out)).toMatchObject({ code: 0 })
  })

  it('lists solvers and options from the table', () => {
    const table = JSON.parse(arenascope(['solvers', '--json']).out) as { id: string; options: { name: string }[] }[]
    expect(table.length).toBeGreaterThan(10)
    const text = arenascope(['solvers']).out
    const usage = arenascope(['solve', '--help']).out
    for (const solver of table) {
      expect(text).toContain(`  ${solver.id} `)
      expect(usage).toContain(`  ${solver.id} `)
      const one = arenascope(['solvers', solver.id]).out
      for (const option of solver.options) expect(one).toContain(`--${option.name}=`)
    }
  })

  it('tells of options of a task CSV and of the command that shrink runs', () => {
    expect(arenascope(['help', 'stats']).out).toMatch(/a task CSV:\n {2}--io=true\|false {2}\(default false\)\n/)
    expect(arenascope(['help', 'tile']).out).toContain('\nOptions:\n  --order=')
    expect(arenascope(['help', 'shrink']).out).toContain('\n  -- COMMAND ...')
  })

  it('has help for help', () => {
    expect(arenascope(['help', 'help'])).toEqual(arenascope(['help']))
  })

  it('has help for every verb', () => {
    for (const verb of ['solve', 'check', 'explain', 'stats', 'lower', 'solvers', 'profiles', 'generate']) {
      const help = arenascope(['help', verb])
      expect(help.code).toBe(0)
      expect(help.out).toContain(`arenascope ${verb} `)
      expect(arenascope([verb, '--help']).out).toBe(help.out)
    }
    expect(arenascope(['--version']).out).toMatch(/^arenascope \d+\.\d+\.\d+\n$/)
    expect(arenascope(['--help']).out).toContain('Exit codes')
  })
})
