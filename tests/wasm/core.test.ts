import { isStep } from '../../wasm/client/events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { Core } from '../../wasm/client/core'
import {
  type Attempt,
  type Condition,
  ClientError,
  type Frame,
  type ProfileSpec,
  type RunConfig,
  type RunRequest,
  type SearchEvent,
  type StepKind,
} from '../../wasm/client/types'
import { config, exports, FIVE, makeCore, ROOT, random, rulesOff, moduleBytes } from './support'

let core: Core | undefined
afterEach(() => {
  core?.free()
  core = undefined
})

async function opened(csv: string, keyframeBytes?: number): Promise<Core> {
  core = await makeCore(keyframeBytes)
  const result = core.open(csv)
  expect(result).toMatchObject({ ok: true })
  return core
}

const HARD = { kind: 'synthetic', n: 40, seed: 3 }

/** Of a search that takes far more steps than any test: rules off, capacity one below what the generator meant. */
function hard(made: Core, budget = 0): RunConfig {
  const { capacity } = made.generate(HARD.kind, HARD.n, HARD.seed)
  return { ...config('minimalloc', capacity - 1, rulesOff(made.manifest)), budget }
}

/** The hard problem, searched for that many steps. */
async function searched(steps: number, keyframeBytes?: number): Promise<Core> {
  core = await makeCore(keyframeBytes)
  expect(core.open(core.generate(HARD.kind, HARD.n, HARD.seed).csv)).toMatchObject({ ok: true })
  core.start(hard(core, steps))
  while (core.step(1000) === 'running');
  expect(core.stats()).toMatchObject({ outcome: 'budget-spent', steps })
  return core
}

describe('module', () => {
  test.each([
    ['core', /^(?:[+*]+ )?(\w+)/],
    ['lean', /^(\w+)/],
    ['buffers', /^(?:[+] )?(\w+)/],
    ['exact', /^(?:[+*] )?(\w+)/],
    ['telamalloc', /^(?:[+*] )?(\w+)/],
    ['large', /^(?:[+*] )?(\w+)/],
    ['planners', /^(?:[+*] )?(\w+)/],
    ['baselines', /^(?:[+*] )?(\w+)/],
  ] as const)(
    '%s.wasm exports what exports.txt names, and imports nothing but the notice of growth',
    async (name, line) => {
      const module = await WebAssembly.compile(moduleBytes(name))
      const lines = readFileSync(join(ROOT, 'wasm/exports.txt'), 'utf8').split('\n')
      const named = lines.flatMap((text) => line.exec(text)?.[1] ?? [])
      expect(named.length).toBeGreaterThan(10)
      const exported = WebAssembly.Module.exports(module).map((e) => e.name)
      expect(exported.filter((name) => name.startsWith('glue_')).sort()).toEqual(named.sort())
      expect(exported).toEqual(expect.arrayContaining(['memory', '_initialize']))
      const imported = WebAssembly.Module.imports(module).map((i) => `${i.module}.${i.name}`)
      expect(imported.filter((name) => name !== 'env.emscripten_notify_memory_growth')).toEqual([])
    },
  )

  test('its heap may grow to 1 GiB and no further', async () => {
    const memory = (await exports()).memory as WebAssembly.Memory
    const page = 2 ** 16
    expect(() => memory.grow(2 ** 30 / page - memory.buffer.byteLength / page)).not.toThrow()
    expect(() => memory.grow(1)).toThrow(RangeError)
  })
})

describe('manifest', () => {
  test('carries the tables of the core', async () => {
    core = await makeCore()
    const { version, solvers, rules, outcomes, generators } = core.manifest
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(rules[0]).toMatchObject({ id: 'none' })
    expect(outcomes.map((o) => o.id)).toContain('over-capacity')
    expect(generators.map((g) => g.kind)).toContain('synthetic')
    const minimalloc = solvers.find((solver) => solver.id === 'minimalloc')
    expect(minimalloc).toMatchObject({
      complete: true,
      incompleteWith: ['windows'],
      supports: { gaps: true, fixed: true, hints: false, banks: true },
    })
    expect(minimalloc?.options.map((option) => option.name)).toContain('section_inference')
    expect(minimalloc?.pseudocode.length).toBeGreaterThan(5)
    for (const { options } of solvers)
      for (const option of options) if (option.type === 'choice') expect(option.choices).toContain(option.initial)
  })
})

describe('open', () => {
  test('gives the problem as arrays', async () => {
    core = await makeCore()
    const result = core.open(
      `# capacity: 1,024\nid,lower,upper,size,alignment,bank,gaps\na,0,10,4,1,,2-4\nbüffer,5,20,8,8,64,\n`,
    )
    if (!result.ok) throw new Error(JSON.stringify(result.errors))
    const { problem, suggestedCapacity } = result
    expect(suggestedCapacity).toBe(1024)
    expect([...problem.ids]).toEqual(['a', 'büffer'])
    expect([...problem.lower]).toEqual([0, 5])
    expect([...problem.upper]).toEqual([10, 20])
    expect([...problem.size]).toEqual([4, 8])
    expect([...problem.alignment]).toEqual([1, 8])
    expect([...problem.fixed]).toEqual([-1, -1])
    expect([...problem.bank]).toEqual([0, 64])
    expect(problem.gaps).toMatchObject([{ buffer: 0, lower: 2, upper: 4 }])
    expect(problem.lowerBound).toBe(12)
    expect(problem.sections.load[problem.peak]).toBe(12)
    expect(problem.digest).toMatch(/^[0-9a-f]{16}$/)
  })

  test('numbers up to 2^53 - 1 are exact', async () => {
    core = await makeCore()
    const big = Number.MAX_SAFE_INTEGER
    const result = core.open(`id,lower,upper,size\na,-5,${big},${big}\n`)
    expect(result).toMatchObject({ ok: true, problem: { lowerBound: big } })
    if (result.ok) expect(result.problem.upper[0]).toBe(big)
  })

  test('quotes nothing that would turn the letters around it', async () => {
    const core = await opened('id,lower,upper,size\na,0,1,1\n')
    const result = core.open('id,lower,upper,size\na,0,1,\u202ex9\n')
    expect(result).toMatchObject({ ok: false, errors: [{ message: expect.stringContaining('\\u202ex9') }] })
    const turned = { ...config('exact', 12), options: { portfolio: '\u202ex' } }
    expect(() => core.start(turned)).toThrow('portfolio has “\\u202ex”')
  })

  test('names every fault, and keeps the problem that was open', async () => {
    const made = await opened(FIVE)
    const result = made.open('id,lower,upper,size\na,4,3,1\nb,0,1,x9\n')
    expect(result).toMatchObject({ ok: false, total: 2, errors: [{ line: 2 }, { line: 3, field: 'size' }] })
    if (!result.ok) expect(result.errors[1]?.message).toContain('x9')
    made.start(config('minimalloc', 12))
    expect(made.bufferCount).toBe(5)
  })

  test('reports the first 20 faults and counts all', async () => {
    core = await makeCore()
    const result = core.open(`id,lower,upper,size\n${Array.from({ length: 50 }, (_, k) => `b${k},9,3,1`).join('\n')}\n`)
    expect(result).toMatchObject({ ok: false, total: 50 })
    if (!result.ok) expect(result.errors).toHaveLength(20)
  })

  test.each(['', 'id,lower,upper,size\n', 'garbage', '\0\0\0', '\ufeff'])('survives %j', async (csv) => {
    core = await makeCore()
    const result = core.open(csv)
    if (result.ok) expect(result.problem.count).toBe(0)
    else expect(result.errors.length).toBeGreaterThan(0)
  })
})

describe('run', () => {
  test('minimalloc solves the five buffers', async () => {
    const made = await opened(FIVE)
    made.start(config('minimalloc', 12))
    while (made.step(1) === 'running');
    const { stats, best } = made.result()
    expect(stats).toMatchObject({ outcome: 'optimal', height: 12, lowerBound: 12 })
    expect(best).toHaveLength(5)
    const csv = made.exportCsv(best)
    expect(csv.split('\n')[0]).toMatch(/offset$/)
    expect(csv.trim().split('\n')).toHaveLength(6)
  })

  test('slices of any size give the same search', async () => {
    const whole = await searched(20_000)
    const stats = whole.stats()
    for (const slice of [1, 7, 1023, 5000]) {
      whole.start(hard(whole, 20_000))
      while (whole.step(slice) === 'running');
      expect({ ...whole.stats(), seconds: 0 }).toEqual({ ...stats, seconds: 0 })
    }
  })

  test('cancel ends it, resume goes on as if nothing had been', async () => {
    const made = await searched(30_000)
    const { digest, steps } = made.stats()
    made.start(hard(made))
    made.step(5000)
    made.cancel()
    expect(made.stats()).toMatchObject({ outcome: 'cancelled', steps: 5000 })
    expect(made.step(100)).toBe('cancelled')
    made.resume(12_000)
    while (made.step(500) === 'running');
    expect(made.stats()).toMatchObject({ outcome: 'budget-spent', steps: 12_000 })
    made.resume(30_000)
    while (made.step(500) === 'running');
    expect(made.stats()).toMatchObject({ digest, steps })
  })

  test.each([
    [{ solver: 'nobody' }, /solver/],
    [{ capacity: -1 }, /capacity is -1/],
    [{ capacity: 1.5 }, /capacity is 1\.5/],
    [{ seed: Number.NaN }, /seed is NaN/],
    [{ options: { nothing: '1' } }, /nothing/],
    [{ options: { section_inference: 'perhaps' } }, /section_inference/],
    [{ options: { section_inference: 1.5 } }, /section_inference/],
  ])('refuses %j and keeps the run before', async (change, message) => {
    const made = await opened(FIVE)
    made.start(config('minimalloc', 12))
    made.step(3)
    expect(() => made.start({ ...config('minimalloc', 12), ...change })).toThrow(message)
    expect(() => made.start({ ...config('minimalloc', 12), ...change })).toThrow(ClientError)
    expect(made.stats().steps).toBe(3)
  })

  test('takes numbers and booleans for their texts, and no options for none', async () => {
    const made = await opened(FIVE)
    const { options: _, ...none } = config('exact', 12)
    const digest = (options?: RunRequest['options']) => {
      made.start({ ...none, options })
      while (made.step(1000) === 'running');
      return made.stats().digest
    }
    expect(digest({ lazy: false, first_budget: 200 })).toBe(digest({ lazy: 'false', first_budget: '200' }))
    expect(digest({ lazy: false, first_budget: 200 })).not.toBe(digest())
    expect(digest()).toBe(digest({}))
  })

  test('says when there is no problem or no run', async () => {
    core = await makeCore()
    expect(() => core?.start(config('minimalloc', 1))).toThrow('There is no problem yet.')
    core.open(FIVE)
    expect(() => core?.step(1)).toThrow('There is no run yet.')
    expect(() => core?.seek(0, 0, 0)).toThrow('There is no run yet.')
  })

  test('the overview sums up to the statistics', async () => {
    const made = await searched(30_000)
    const { overview, stats } = made.result()
    expect(overview.count * overview.width).toBeGreaterThanOrEqual(stats.steps)
    expect((overview.count - 1) * overview.width).toBeLessThan(stats.steps)
    stats.rules.forEach((count, rule) => {
      expect(overview.rules[rule]?.reduce((a, b) => a + b, 0)).toBe(count)
    })
    expect(Math.max(...overview.maxDepth)).toBe(stats.maxDepth)
    // each level that was ever reached was placed, and a search that goes back places some again
    expect(overview.placed.reduce((sum, n) => sum + n, 0)).toBeGreaterThan(stats.maxDepth)
    expect(overview.placed.filter((n) => n > 0).length).toBeGreaterThanOrEqual(stats.maxDepth)
  })
})

/** A frame without the events around it. */
function state(frame: Frame) {
  const { events: _, ...rest } = frame
  return rest
}

describe('seek', () => {
  test('equals stepping there, forward and backward', async () => {
    const stepper = await searched(1)
    stepper.start(hard(stepper))
    const pick = random(1)
    const steps = Array.from({ length: 40 }, () => pick(20_000)).sort((a, b) => a - b)
    const stepped = new Map<number, Frame>()
    for (const step of steps) {
      stepper.step(step - stepper.stats().steps)
      stepped.set(step, stepper.now())
    }
    stepper.free()
    const made = await searched(20_000, 64 * 1024)
    for (const step of [...steps].reverse().concat(steps, [19_999, 0, 20_000, 1])) {
      const frame = made.seek(step, 0, 0)
      expect(frame.step).toBe(step)
      expect(frame.depth).toBe(frame.stack.length)
      const expected = stepped.get(step)
      if (expected) expect(state({ ...frame, undone: [] })).toEqual(state(expected))
    }
  })

  test('gives the events of its window, and ghosts of what a backtrack took back', async () => {
    const made = await searched(20_000)
    let backtracks = 0
    for (let step = 100; step < 400; step++) {
      const before = made.seek(step - 1, 0, 0)
      const frame = made.seek(step, 3, 2)
      const seen = new Set(frame.events.map((event) => event.step))
      expect([...seen]).toEqual([step - 2, step - 1, step, step + 1, step + 2])
      const own = frame.events.filter((event) => event.kind === 'backtrack').find((event) => event.step === step)
      expect(made.seek(step, 0, 0)).toMatchObject({ events: [], undone: frame.undone })
      if (!own) {
        expect(frame.undone).toEqual([])
        continue
      }
      backtracks++
      expect(frame.undone.map((ghost) => ghost.buffer)).toEqual([...own.list])
      expect(frame.undone).toHaveLength(before.depth - frame.depth)
      for (const { buffer, offset } of frame.undone) {
        expect(offset).toBe(before.offset[buffer])
        expect(offset).toBeGreaterThanOrEqual(0)
        expect(frame.offset[buffer]).toBe(-1)
      }
    }
    expect(backtracks).toBeGreaterThan(10)
  })

  test('digestAt is the digest of a run that stopped there', async () => {
    const made = await searched(20_000)
    const { digest } = made.stats()
    expect(made.digestAt(20_000)).toBe(digest)
    const at = made.digestAt(7777)
    expect(made.digestAt(7778)).not.toBe(at)
    made.start(hard(made, 7777))
    while (made.step(1000) === 'running');
    expect(made.stats().digest).toBe(at)
  })
})

/** A run that places some buffers over others: the large solver where no first fit is good enough. */
async function forced(): Promise<Core> {
  core = await makeCore()
  const { csv } = core.generate('synthetic', 24, 2)
  expect(core.open(csv)).toMatchObject({ ok: true })
  core.start({ ...config('large', 1), goal: 'height', options: { tries: '2', fails: '8' }, budget: 4000 })
  while (core.step(1000) === 'running');
  return core
}

describe('a buffer that goes in over others', () => {
  test('is placed, and they are taken back: for stops, and as ghosts where they lay', async () => {
    const made = await forced()
    const { events } = made.seek(4000, 4000, 0)
    const ejections = events.filter((event) => event.kind === 'eject').filter(({ list }) => list.length > 0)
    expect(ejections.length).toBeGreaterThan(3)
    for (const { step, buffer, offset, list } of ejections.slice(0, 20)) {
      expect(made.find(step - 1, true, [{ role: 'puts', buffer }], 1)).toMatchObject({ step })
      const frame = made.seek(step, 0, 0)
      const before = made.seek(step - 1, 0, 0)
      expect(frame.offset[buffer]).toBe(offset)
      expect(frame.undone).toEqual([...list].map((other) => ({ buffer: other, offset: before.offset[other] })))
      for (const other of list) {
        expect(made.find(step - 1, true, [{ role: 'takes', buffer: other }], 1)).toMatchObject({ step })
        expect(made.find(step - 1, true, [{ role: 'puts', buffer: other }], 1)).toMatchObject({ step: 0 })
      }
    }
  })
})

describe('find', () => {
  test('agrees with a scan of all events, in both directions and in pieces', async () => {
    const made = await searched(6000)
    const { events } = made.seek(6000, 6000, 0)
    const is = (kind: StepKind) => (event: SearchEvent) => event.kind === kind
    const rule = made.manifest.rules.findIndex(({ id }) => id === 'capacity')
    const wanted: [string, Condition[], (event: SearchEvent) => boolean][] = [
      ['backtrack', [{ kinds: ['backtrack'] }], is('backtrack')],
      ['major', [{ kinds: ['backtrack'], major: true }], (event) => event.kind === 'backtrack' && event.major],
      ['place', [{ kinds: ['place'] }], is('place')],
      ['restart', [{ kinds: ['restart'] }], is('restart')],
      ['any step', [{}], isStep],
      ['buffer 5 placed', [{ role: 'puts', buffer: 5 }], (event) => event.kind === 'place' && event.buffer === 5],
      [
        'buffer 5 taken back',
        [{ role: 'takes', buffer: 5 }],
        (event) => event.kind === 'backtrack' && event.list.includes(5),
      ],
      ['capacity', [{ rule }], (event) => (event.kind === 'reject' || event.kind === 'skip') && event.rule === rule],
      ['deeper than 20', [{ above: 20 }], (event) => event.kind === 'place' && event.depth === 21],
      [
        'either',
        [{ above: 22 }, { kinds: ['backtrack'], buffer: 2 }],
        (event) =>
          (event.kind === 'place' && event.depth === 23) || (event.kind === 'backtrack' && event.list.includes(2)),
      ],
      ['nothing', [], () => false],
    ]
    const pick = random(2)
    for (const [name, conditions, matches] of wanted) {
      const steps = events.filter(matches).map((event) => event.step)
      for (let trial = 0; trial < 12; trial++) {
        const from = pick(6001)
        const after = steps.find((step) => step > from) ?? 0
        const before = steps.findLast((step) => step < from) ?? 0
        for (const limit of [1_000_000, 997]) {
          expect([name, from, findAll(made, from, true, conditions, limit)]).toEqual([name, from, after])
          expect([name, from, findAll(made, from, false, conditions, limit)]).toEqual([name, from, before])
        }
      }
    }
  })
})

function findAll(made: Core, from: number, forward: boolean, conditions: Condition[], limit: number): number {
  for (let at: number | null = from; at !== null; ) {
    const found = made.find(at, forward, conditions, limit)
    if (found.step > 0) return found.step
    at = found.next
  }
  return 0
}

describe('path', () => {
  test('tells what a walk over all events finds, in pieces and with seeks between them', async () => {
    const made = await searched(6000, 20_000)
    const { events } = made.seek(6000, 6000, 0)
    const pick = random(5)
    for (let trial = 0; trial < 12; trial++) {
      const step = pick(6001)
      const [levels, most] = [pick(12), 1 + pick(9)]
      const expected = walk(events, step)
      let path = made.path(step, levels, most, 500)
      while (!path.whole) {
        made.seek(pick(6001), 2, 2)
        path = made.path(step, levels, most, 500)
      }
      const { depth, top, nodes } = path
      expect([step, depth, top]).toEqual([step, expected.length - 1, Math.max(0, expected.length - 1 - levels)])
      nodes.forEach((node, k) => {
        const own = expected[top + k]!
        expect([step, top + k, node.step]).toEqual([step, top + k, own.step])
        expect([step, top + k, node.more]).toEqual([step, top + k, Math.max(0, own.attempts.length - most)])
        expect(node.attempts).toEqual(own.attempts.slice(-most))
      })
    }
  })

  test('says how many candidates the open node has', async () => {
    core = await opened(FIVE)
    core.start(config('minimalloc', 12))
    while (core.step(100) === 'running');
    const { steps } = core.stats()
    // the first step begins an attempt, the second places the first of its candidates
    expect(core.path(1, 9, 9, 1)).toMatchObject({ step: 1, depth: 0, tried: 0, candidates: 5, whole: true })
    expect(core.seek(2, 1, 0).candidates?.[0]).toBe(5)
    expect(core.path(steps + 9, 9, 9, 1)).toMatchObject({ step: steps, tried: 0, candidates: 0 })
  })
})

/** The nodes on the path to a step, by walking forward. Of a search without waste. */
function walk(events: SearchEvent[], last: number): { step: number; attempts: Attempt[] }[] {
  const nodes: { step: number; attempts: Attempt[]; child?: Attempt }[] = [{ step: 0, attempts: [] }]
  for (const event of events) {
    const { step } = event
    if (step > last) break
    const node = nodes.at(-1)!
    if (event.kind === 'place') {
      const { kind, buffer, offset } = event
      node.child = { step, end: step, kind, buffer, offset, count: 1, rule: 0 }
      nodes.push({ step, attempts: [] })
    } else if (event.kind === 'restart') nodes.splice(event.depth, nodes.length, { step, attempts: [] })
    else if (event.kind === 'reject' || event.kind === 'skip') {
      const { kind, buffer, offset, rule } = event
      node.attempts.push({ step, end: step, kind, buffer, offset, rule, count: kind === 'skip' ? event.count : 1 })
    } else if (event.kind === 'backtrack' && event.from > event.to) {
      nodes.length = event.to + 1
      const parent = nodes.at(-1)!
      parent.attempts.push({ ...parent.child!, end: step })
    }
  }
  return nodes.map(({ step, attempts }) => ({ step, attempts }))
}

describe('memory', () => {
  test('opening, running and freeing again and again does not grow the heap', async () => {
    core = await makeCore()
    const cycle = (made: Core) => {
      const { csv, capacity } = made.generate('random', 400, 3)
      made.open(csv)
      made.start({ ...config('minimalloc', capacity), budget: 20_000 })
      while (made.step(5000) === 'running');
      made.seek(100, 50, 50)
      made.open(FIVE)
      return made.memory()
    }
    const { used } = cycle(core)
    const { heap } = cycle(core)
    for (let k = 0; k < 20; k++) expect(cycle(core)).toEqual({ used, heap })
  })

  test('a large problem grows it while views of it are held', async () => {
    core = await makeCore()
    const rows = Array.from({ length: 60_000 }, (_, k) => `b${k},${k},${k + 50},${64 + (k % 7)}`)
    const { heap } = core.memory()
    const result = core.open(`id,lower,upper,size\n${rows.join('\n')}\n`)
    expect(core.memory().heap).toBeGreaterThan(heap)
    if (!result.ok) throw new Error('not opened')
    expect(result.problem.count).toBe(60_000)
    expect(result.problem.ids.at(59_999)).toBe('b59999')
    expect(result.problem.upper[59_999]).toBe(60_049)
  })

  test('what does not fit is an error, and the core goes on', async () => {
    const shared = await exports()
    core = new Core(shared)
    expect(core.open(FIVE)).toMatchObject({ ok: true })
    // another session of the same module takes nearly all there is
    const hog = shared.glue_session_new(1, 2)
    let taken = 1020
    while (shared.glue_input(hog, taken * 2 ** 20) === 0) taken -= 4
    const rows = Array.from({ length: 120_000 }, (_, k) => `b${k},${k},${k + 50},64`)
    const csv = `id,lower,upper,size\n${rows.join('\n')}\n`
    const made = core
    expect(() => made.open(csv)).toThrow(expect.objectContaining({ name: 'ClientError', reason: 'memory' }))
    made.start(config('minimalloc', 12))
    while (made.step(100) === 'running');
    expect(made.stats().outcome).toBe('optimal')
    shared.glue_session_free(hog)
    expect(made.open(csv)).toMatchObject({ ok: true, problem: { count: 120_000 } })
  })
})

describe('profiles', () => {
  const memory: ProfileSpec = {
    capacity: 64,
    reserved: 0,
    alignment: 4,
    alignBy: 'both',
    bank: 8,
    mayCross: false,
  }
  const CSV = 'id,lower,upper,size,note\na,0,4,3,x\nb,0,4,6,y\n'

  test('are what the next problem is taken with, and only that', async () => {
    core = await makeCore()
    const result = core.open(CSV, memory)
    if (!result.ok) throw new Error('refused')
    expect([...result.problem.size]).toEqual([4, 8])
    expect([...result.problem.alignment]).toEqual([4, 4])
    expect([...result.problem.bank]).toEqual([8, 8])
    core.start(config('exact', 16))
    while (core.step(1000) === 'running');
    expect(core.stats()).toMatchObject({ outcome: 'optimal', height: 12 })
    // what goes out is what came in
    expect(core.exportCsv(core.best())).toMatch(/^id,lower,upper,size,note,offset\na,0,4,3,x,\d+\nb,0,4,6,y,\d+\n$/)
    const plain = core.open(CSV)
    if (!plain.ok) throw new Error('refused')
    expect([...plain.problem.size]).toEqual([3, 6])
    expect(plain.problem.digest).not.toBe(result.problem.digest)
    const crossed = core.open(CSV, { ...memory, mayCross: true, alignment: 1 })
    expect(crossed).toMatchObject({ ok: true, problem: { digest: plain.problem.digest } })
  })

  test('refuse what does not fit a bank without a line, and the problem before stays', async () => {
    core = await makeCore()
    expect(core.open(CSV, memory)).toMatchObject({ ok: true })
    const bad = core.open('id,lower,upper,size\nwide,0,4,9\n', memory)
    expect(bad).toMatchObject({ ok: false, total: 1 })
    if (bad.ok) throw new Error('taken')
    expect(bad.errors[0]).toMatchObject({
      line: 0,
      field: 'bank',
      message: 'of “wide” is 8, expected at least the size, 12',
    })
    expect(core.exportCsv(null)).toBe(CSV)
    expect(() => core?.open(CSV, { ...memory, alignment: 0 })).toThrow(ClientError)
    expect(() => core?.open(CSV, { ...memory, bank: 0.5 })).toThrow('bank is 0.5')
  })
})
