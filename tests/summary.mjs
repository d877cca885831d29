#!/usr/bin/env node
// Counts what CTest ran: reads the list of what was to run (`ctest --show-only=json-v1`) and CTest's JUnit file. A test with the label `cases` is a
// runner, whose own closing line says how many of its cases passed; any other is one check. A runner that fails without a failed case, or runs none,
// is one failure, and so is whatever was to run and did not. Shards of a suite (native.save.1, native.save.2) are one: each runs a share of every
// test's cases.
//   node tests/summary.mjs --self-test
import { fileURLToPath } from 'node:url'

const ENTITIES = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
const unescaped = (text) => text.replace(/&(lt|gt|amp|quot|apos);/g, (_, name) => ENTITIES[name])
/** What a shard is called without its number. */
const suiteOf = (name) => name.replace(/\.\d+$/, '')

/** The tests of a JUnit file of CTest, as Map(name -> {ok, seconds, output}). */
export function ran(junit) {
  const found = new Map()
  for (const [, attributes, body] of junit.matchAll(/<testcase\b([^>]*)>([\s\S]*?)<\/testcase>/g)) {
    const get = (key) => unescaped(new RegExp(`\\b${key}="([^"]*)"`).exec(attributes)?.[1] ?? '')
    const output = /<system-out>([\s\S]*?)<\/system-out>/.exec(body)?.[1] ?? ''
    found.set(get('name'), { ok: get('status') === 'run', seconds: Number(get('time')), output: unescaped(output) })
  }
  return found
}

const sum = (matches) => [...matches].reduce((total, match) => total + Number(match[1]), 0)

/** What a runner's output says of its cases: cmocka's closing lines, Vitest's or pytest's. */
export function cases(output) {
  const vitest = [...output.matchAll(/^ +Tests +(.*\(\d+\)) *$/gm)].at(-1)?.[1]
  if (vitest !== undefined)
    return { good: sum(vitest.matchAll(/(\d+) passed/g)), bad: sum(vitest.matchAll(/(\d+) failed/g)) }
  const pytest = /^(?:\d+ \w+, )*\d+ \w+(?: in [\d.]+s.*)$/m.exec(output)?.[0]
  if (pytest !== undefined)
    return {
      good: sum(pytest.matchAll(/(\d+) passed/g)),
      bad: sum(pytest.matchAll(/(\d+) (?:failed|errors?)\b/g)),
    }
  return {
    good: sum(output.matchAll(/^\[ {2}PASSED {2}\] (\d+) test\(s\)/gm)),
    bad: sum(output.matchAll(/^\[ {2}FAILED {2}\] (?:.*: )?(\d+) test\(s\), listed below/gm)),
  }
}

const WORDS = 60
/** What a test that failed says of it, in at most `WORDS` lines: Vitest's own account, cmocka's errors, or else how it ended. */
export function lastWords(output) {
  const lines = output.split('\n').map((line) => line.trimEnd())
  const vitest = lines.findIndex((line) => /Failed (Tests|Suites) \d+/.test(line))
  const cmocka = lines.filter((line) => /^\[ {2}(ERROR {3}|FAILED {2})\]/.test(line))
  const said = vitest >= 0 ? lines.slice(vitest, vitest + WORDS) : cmocka.length > 0 ? cmocka : lines
  return said.filter((line) => line !== '').slice(-WORDS)
}

/** The counts of a runner, none of which may be lost: {good, bad, why}. */
export function counted(output, ok) {
  const { good, bad } = cases(output)
  if (!ok && bad === 0) return { good, bad: 1, why: 'ended badly without saying which case failed' }
  if (ok && bad > 0) return { good, bad, why: 'ended well with failed cases' }
  // Vitest was asked for what depends on changed files, and nothing does
  if (ok && good === 0 && /^No test files found, exiting with code 0/m.test(output)) return { good, bad, why: '' }
  // it says what it has not: the published instances are nobody's to have
  if (ok && good === 0 && /^[a-z_]+: left out, for /m.test(output)) return { good, bad, why: '' }
  if (good + bad === 0) return { good: 0, bad: 1, why: 'ran no test at all' }
  return { good, bad, why: '' }
}

/**
 * planned: [{name, labels}], found: Map of `ran`. Gives {suites: Map(label -> {good, bad, seconds}), troubles: [text]}.
 */
export function summarise(planned, found) {
  const suites = new Map()
  const troubles = []
  /** of each sharded suite: how many tests it has, and how many failed */
  const shards = new Map()
  for (const { name, labels } of planned) {
    const label = labels.find((one) => one !== 'cases') ?? 'checks'
    if (!suites.has(label)) suites.set(label, { good: 0, bad: 0, seconds: 0 })
    const suite = suites.get(label)
    const test = found.get(name)
    const runner = labels.includes('cases')
    let count = { good: test?.ok ? 1 : 0, bad: test?.ok ? 0 : 1, why: test ? 'failed' : 'never ran' }
    if (runner && test) count = counted(test.output, test.ok)
    suite.seconds += test?.seconds ?? 0
    if (count.bad > 0) {
      const words = lastWords(test?.output ?? '').map((line) => `\n        ${line}`)
      troubles.push(`${name}: ${count.why || `${count.bad} failed`}${words.join('')}`)
    }
    const whole = suiteOf(name)
    if (!runner || whole === name || /^e2e\./.test(name)) {
      suite.good += count.good
      suite.bad += count.bad
      continue
    }
    const before = shards.get(whole) ?? { tests: 0, bad: 0, suite }
    shards.set(whole, { tests: Math.max(before.tests, count.good + count.bad), bad: before.bad + count.bad, suite })
  }
  for (const { tests, bad, suite } of shards.values()) {
    suite.good += Math.max(0, tests - bad)
    suite.bad += bad
  }
  return { suites, troubles }
}

const TITLES = {
  lint: 'lint',
  build: 'builds',
  native: 'C tests',
  asan: 'C tests under sanitizers',
  fuzz: 'fuzz targets',
  install: 'installed library',
  python: 'Python package',
  unit: 'unit tests',
  quick: 'what changed',
  page: 'page',
  e2e: 'end-to-end tests',
  soak: 'soak',
}

/** Prints a line for each suite, and the total; gives the number of failures. */
export function report(planned, junit) {
  const { suites, troubles } = summarise(planned, ran(junit))
  for (const text of troubles) console.log(`  FAIL  ${text}`)
  let passed = 0
  let failed = 0
  for (const [label, { good, bad, seconds }] of suites) {
    console.log(
      `${TITLES[label] ?? label}: ${good} passed, ${bad} failed (${Math.round(seconds)} s, one after the other)`,
    )
    passed += good
    failed += bad
  }
  return { passed, failed }
}

function selfTest() {
  const cmocka = (good, bad) =>
    `[  PASSED  ] ${good} test(s).\n${bad ? `[  FAILED  ] save: ${bad} test(s), listed below:\n` : ''}`
  const element = (name, status, output) =>
    `<testcase name="${name}" time="2" status="${status}"><system-out>${output}</system-out></testcase>`
  const c = (name) => ({ name, labels: ['native', 'cases'] })
  const trials = [
    ['a check', [{ name: 'tsc', labels: ['lint'] }], element('tsc', 'run', ''), 1, 0],
    ['a failed check', [{ name: 'tsc', labels: ['lint'] }], element('tsc', 'fail', ''), 0, 1],
    ['what never ran', [{ name: 'tsc', labels: ['lint'] }], '', 0, 1],
    ['what waited in vain', [c('native.run')], element('native.run', 'notrun', ''), 0, 1],
    ['a suite', [c('native.run')], element('native.run', 'run', cmocka(3, 0)), 3, 0],
    ['a failed case', [c('native.run')], element('native.run', 'fail', cmocka(2, 1)), 2, 1],
    ['a dead runner', [c('native.run')], element('native.run', 'fail', '[ RUN      ] a'), 0, 1],
    ['a runner that died late', [c('native.run')], element('native.run', 'fail', cmocka(3, 0)), 3, 1],
    ['a runner of nothing', [c('native.run')], element('native.run', 'run', ''), 0, 1],
    [
      'two shards',
      [c('a.s.1'), c('a.s.2')],
      ['1', '2'].map((k) => element(`a.s.${k}`, 'run', cmocka(3, 0))).join(),
      3,
      0,
    ],
    [
      'a bad shard',
      [c('a.s.1'), c('a.s.2')],
      element('a.s.1', 'run', cmocka(3, 0)) + element('a.s.2', 'fail', cmocka(2, 1)),
      2,
      1,
    ],
    ['Vitest', [c('unit')], element('unit', 'fail', '\n      Tests  2 failed | 11 passed (13)\n'), 11, 2],
    ['pytest', [c('python')], element('python', 'fail', '\n2 failed, 38 passed, 1 skipped in 33.31s\n'), 38, 2],
    ['pytest left out', [c('python')], element('python', 'run', 'python: left out, for there is none\n'), 0, 0],
    ['Vitest without a test', [c('unit')], element('unit', 'fail', 'No test files found, exiting with code 1\n'), 0, 1],
    ['nothing depends on it', [c('unit')], element('unit', 'run', 'No test files found, exiting with code 0\n'), 0, 0],
    [
      'shards of files',
      [c('e2e.1'), c('e2e.2')],
      element('e2e.1', 'run', ' Tests  4 passed (4)\n') + element('e2e.2', 'run', ' Tests  5 passed | 1 skipped (6)\n'),
      9,
      0,
    ],
  ]
  const told = [
    ['', []],
    ['✓ a\n⎯ Failed Tests 1 ⎯\n FAIL  b > c\nError: d\n\n', ['⎯ Failed Tests 1 ⎯', ' FAIL  b > c', 'Error: d']],
    [
      '[ RUN      ] a\n[  ERROR   ] --- 1 != 2\n[  FAILED  ] a\n[ RUN      ] b\n',
      ['[  ERROR   ] --- 1 != 2', '[  FAILED  ] a'],
    ],
    [
      Array.from({ length: 100 }, (_, k) => k).join('\n'),
      Array.from({ length: WORDS }, (_, k) => `${100 - WORDS + k}`),
    ],
  ]
  let wrong = 0
  for (const [output, words] of told) {
    if (lastWords(output).join('\n') === words.join('\n')) continue
    wrong++
    console.error(`self-test last words: got ${lastWords(output)}, expected ${words}`)
  }
  for (const [name, planned, junit, good, bad] of trials) {
    const suites = [...summarise(planned, ran(junit)).suites.values()]
    const got = [suites.reduce((n, s) => n + s.good, 0), suites.reduce((n, s) => n + s.bad, 0)]
    if (got[0] === good && got[1] === bad) continue
    wrong++
    console.error(`self-test ${name}: got ${got}, expected ${good},${bad}`)
  }
  console.log(`summary self-test: ${told.length + trials.length - wrong} passed, ${wrong} failed`)
  return wrong ? 1 : 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(selfTest())
