/** Graph CSV on the command line. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { arenascope, example, folder, solveJson } from './command'

/** Two branches behind x, each a large tensor and a small one: one after the other they take less. */
const text = `tensor,x,4,input
tensor,w,9,constant
tensor,a,8
tensor,b,5
tensor,c,8
tensor,d,5
tensor,y,2,output
op,a0,Conv,x;w,a,,,3
op,c0,Conv,x,c
op,a1,Pool,a,b
op,c1,Pool,c,d
op,end,Add,b;d,y
`
const model = join(folder, 'model.graph.csv')
writeFileSync(model, text)

const hint = 'The schedule “depth-first” would have a lower peak: 18 bytes instead of 21.'

describe('lower', () => {
  it('writes the buffers, and says what was left out', () => {
    const answer = arenascope(['lower', model])
    expect(answer.code).toBe(0)
    expect(answer.out).toBe(
      'id,lower,upper,size\nx,0,2,4\na,0,3,8\nb,2,5,5\nc,1,4,8\nd,3,5,5\ny,4,5,2\na0:workspace,0,1,3\n',
    )
    expect(answer.err).toBe(
      `${model}: 1 constant out of the arena: 9 bytes.\n${model}: ${hint}\nrequired 15, half 16, peak 18\n`,
    )
  })

  it('takes its options in every form, from a pipe, into a file', () => {
    const output = join(folder, 'lowered.csv')
    const flags = ['--constants', 'streamed', '--prefetch=0', '--noworkspace', '--order=greedy', '--alignment=4']
    const answer = arenascope(['lower', '-', ...flags, `--output=${output}`], text)
    expect(answer).toMatchObject({ code: 0, out: '', err: expect.stringContaining('1 workspace left out.') })
    const direct = arenascope(['lower', model, '--workspace=no', ...flags.filter((flag) => flag !== '--noworkspace')])
    expect(direct.out).toContain('w,0,1,9,4\n')
    expect(direct.out).toContain('b,1,5,5,4\n')
    const plan = solveJson(['--capacity=64', output])
    expect(plan).toMatchObject({ code: 0, buffers: 7 })
  })

  it.each([
    [['lower'], '--input: is missing'],
    [['lower', example('five.csv')], 'is no graph CSV'],
    [['lower', model, '--order=random'], '--order: is “random”, expected one of file|depth-first|breadth-first|greedy'],
    [['lower', model, '--order'], '--order: is missing its value'],
    [['lower', model, '--noorder'], '--noorder: there is no such flag'],
    [['lower', model, '--capacity=3'], '--capacity: there is no such flag'],
    [['stats', example('five.csv'), '--order=greedy'], '--order: there is no such flag'],
    [['solve', example('five.csv'), '--capacity=half'], '--capacity: half is for model graphs, expected bytes'],
    [['check', model], 'is a graph CSV, expected a buffer CSV with a column offset'],
    [['explain', model], '--capacity: is missing'],
  ])('%j: %s', (args, message) => {
    const answer = arenascope(args)
    expect(answer.code).toBe(2)
    expect(answer.err).toContain(message)
  })

  it('names the place of every error', () => {
    const answer = arenascope(['lower', '-'], 'tensor,x,?\nop,o,T,x;n,\n')
    expect(answer).toMatchObject({ code: 2, out: '' })
    expect(answer.err).toContain('-:1:10: bytes is “?”, expected a whole number\n-:2:8: inputs has “x”')
    expect(answer.err).toContain('3 errors. Nothing was loaded.')
  })

  it('explains its options', () => {
    const { out } = arenascope(['help', 'lower'])
    expect(out).toContain('--constants=out|resident|streamed  (default out)')
    expect(out).toContain('--order=file|depth-first|breadth-first|greedy  (default file)')
    expect(out).toContain('--solver.NAME')
  })
})

describe('the other verbs on a graph', () => {
  it('solve with the budgets as capacities', () => {
    const deep = '--order=depth-first'
    expect(solveJson([model, '--capacity=peak', deep])).toMatchObject({ code: 0, capacity: 18, height: 18 })
    expect(solveJson([model, '--capacity=peak'])).toMatchObject({ code: 1, capacity: 18, lowerBound: 21 })
    expect(arenascope(['solve', model, '--capacity=peak']).err).toContain(hint)
    expect(arenascope(['solve', model, '--capacity=peak', deep]).err).not.toContain('lower peak')
    expect(solveJson([model, '--capacity=half', deep])).toMatchObject({ code: 1, capacity: 16 })
    expect(solveJson([model, '--capacity=required', '--noworkspace'])).toMatchObject({ code: 1, capacity: 13 })
    const exact = solveJson([model, '--capacity=peak', '--noworkspace', '--order=greedy', '--solver=exact'])
    expect(exact).toMatchObject({ code: 0, capacity: 18 })
    expect(solveJson([model, '--minimize_capacity', deep])).toMatchObject({ code: 0, lowerBound: 18 })
  })

  it('tell an option of the solver from one of the lowering', () => {
    const args = [model, '--capacity=64', '--solver=greedy']
    const plain = solveJson(args)
    expect(solveJson([...args, '--solver.order=area']).digest).not.toBe(plain.digest)
    expect(solveJson([...args, '--order=greedy']).lowerBound).toBe(20)
    expect(arenascope(['solve', ...args, '--order=area']).err).toContain('--order: is “area”')
    expect(arenascope(['solve', ...args, '--solver.none=1']).err).toContain('--solver.none: neither a flag nor')
  })

  it('stats and explain', () => {
    const stats = JSON.parse(arenascope(['stats', '--json', model]).out)
    expect(stats).toMatchObject({
      buffers: 7,
      operators: 5,
      tensors: 7,
      budgets: { required: 15, half: 16, peak: 18 },
      lowerBound: 21,
    })
    expect(arenascope(['stats', model]).out).toContain('  budgets        required 15, half 16, peak 18\n')
    expect(arenascope(['stats', '--loads', model, '--constants=resident']).out).toContain('1,2,29,4\n')
    const why = arenascope(['explain', model, '--capacity=half', '--output=-'])
    expect(why).toMatchObject({ code: 1, out: 'id,lower,upper,size\na,0,3,8\nb,2,5,5\nc,1,4,8\n' })
  })

  it('a graph with nothing to plan', () => {
    const nothing = 'op,o,T,,\n'
    expect(arenascope(['stats', '-'], nothing).out).toContain('buffers        0\n')
    expect(arenascope(['solve', '-', '--capacity=peak'], nothing).code).toBe(0)
  })

  it('check a plan against it', () => {
    const plan = join(folder, 'plan.csv')
    expect(arenascope(['solve', model, '--capacity=21', `--output=${plan}`]).code).toBe(0)
    expect(arenascope(['check', plan, `--problem=${model}`, '--capacity=21']).code).toBe(0)
    const other = arenascope(['check', plan, `--problem=${model}`, '--capacity=peak'])
    expect(other).toMatchObject({ code: 1, out: expect.stringContaining('outside: ') })
    expect(arenascope(['check', plan, `--problem=${model}`, '--constants=resident']).out).toContain('w (no offset)')
  })
})
