/** COSMA's program (1) to (12) in a solver of such against the dynamic program: they share nothing but the graph. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import highs from 'highs'
import { beforeAll, describe, expect, it } from 'vitest'
import { arenascope, folder, solveJson } from './command'

let solver: Awaited<ReturnType<typeof highs>>
beforeAll(async () => {
  solver = await highs()
})

const model = join(folder, 'lp.graph.csv')

/** The least of the program, or undefined if it has no solution. */
function least(text: string, capacity: number, kind: string): number | undefined {
  writeFileSync(model, text)
  const lp = arenascope(['lower', model, '--lp=-', `--lp_model=${kind}`, `--capacity=${capacity}`])
  expect(lp.code, lp.err).toBe(0)
  const answer = solver.solve(lp.out, { output_flag: false, mip_rel_gap: 0 } as Parameters<typeof solver.solve>[1])
  return answer.Status === 'Optimal' ? Math.round(answer.ObjectiveValue) : undefined
}

interface Known {
  outcome: string
  traffic?: number
  lowerBound: number
}

const cosma = (capacity: number, ...flags: string[]) =>
  solveJson([model, '--solver=cosma', '--goal=traffic', `--capacity=${capacity}`, ...flags]) as unknown as Known

/** A graph in which operator i makes tensor i; what is read by operator i stands at reads[i]. */
function graphOf(sizes: readonly number[], reads: readonly (readonly number[])[]): string {
  const tensors = sizes.map((size, k) => `tensor,t${k},${size}\n`)
  const ops = reads.map((list, k) => `op,o${k},X,${list.map((t) => `t${t}`).join(';')},t${k}\n`)
  return [...tensors, ...ops].join('')
}

const parse = (sizes: string, reads: string) =>
  graphOf(
    sizes.split(' ').map(Number),
    reads.split(' ').map((list) => (list === '-' ? [] : list.split(',').map(Number))),
  )

/** Name, sizes, what operators read, capacity, the optimum without and with addresses; undefined: there is no plan. */
const cases: [string, string, string, number, number | undefined, number | undefined][] = [
  ['T1', '3 2 3 2', '- 0 1 2', 5, 0, 0],
  ['T2', '2 3 6 3 2', '- 0 1 2 0,3', 9, 4, 4],
  ['T2', '2 3 6 3 2', '- 0 1 2 0,3', 10, 4, 4],
  ['T2', '2 3 6 3 2', '- 0 1 2 0,3', 11, 0, 0],
  ['T3', '2 4 4 1 4 4 1', '- 0 1 0,2 3 4 0,5', 8, 6, 6],
  ['T3', '2 4 4 1 4 4 1', '- 0 1 0,2 3 4 0,5', 9, 6, 6],
  ['T3', '2 4 4 1 4 4 1', '- 0 1 0,2 3 4 0,5', 10, 0, 0],
  ['T4', '1 5 1 5 1 1', '- 0 1 0 3 2,4', 6, 4, 4],
  ['T4', '1 5 1 5 1 1', '- 0 1 0 3 2,4', 7, 0, 0],
  ['T5', '4 1 3 2 1 1', '- - - 2 1,3 0,4', 9, 0, 0],
  ['T6', '1 1 6 1 6 1 1', '- 0 0 2 0 4 1,3,5', 8, 2, 2],
  ['T6', '1 1 6 1 6 1 1', '- 0 0 2 0 4 1,3,5', 9, 0, 0],
  ['T7', '1 5 3 2 4 3 5 3', '- 0 0,1 2 0 2,3 4 3,4', 9, 0, 2],
  ['T7', '1 5 3 2 4 3 5 3', '- 0 0,1 2 0 2,3 4 3,4', 10, 0, 0],
  ['T8', '1 4 8 6 9 7 7 1', '- 0 0 0,2 2 1,3 5 5,6', 17, 2, 3],
  ['T8', '1 4 8 6 9 7 7 1', '- 0 0 0,2 2 1,3 5 5,6', 18, 0, 0],
  ['T9', '2 5 3 5 3 5 1', '- 0 0,1 2 0,3 4 0,5', 8, undefined, undefined],
  ['T9', '2 5 3 5 3 5 1', '- 0 0,1 2 0,3 4 0,5', 10, 0, 0],
  ['T10', '1 1 2 2', '- 0 0,1 2', 4, 0, 0],
  ['T11', '4 4 4 4', '- 0 1 0,2', 11, undefined, undefined],
  ['T11', '4 4 4 4', '- 0 1 0,2', 12, 0, 0],
]

describe('the program', () => {
  it.each(cases)(
    '%s, sizes %s, reads %s, at %d: %d without addresses, %d with',
    (...[, sizes, reads, at, bare, whole]) => {
      const text = parse(sizes, reads)
      expect(least(text, at, 'capacity')).toBe(bare)
      expect(least(text, at, 'addresses')).toBe(whole)
      expect(cosma(at)).toMatchObject(
        whole === undefined ? { outcome: 'infeasible' } : { outcome: 'optimal', traffic: whole },
      )
    },
  )

  let state = 1
  const below = (n: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
  const random = (ops: number, size: number) => {
    const sizes = Array.from({ length: ops }, () => 1 + below(size))
    const reads = sizes.map((_, k) => [
      ...new Set(Array.from({ length: k ? below(4) : 0 }, () => (below(3) ? below(k) : 0))),
    ])
    const required = Math.max(...reads.map((list, k) => [...list, k].reduce((sum, t) => sum + (sizes[t] ?? 0), 0)))
    return { text: graphOf(sizes, reads), capacity: required + below(2) }
  }

  it('agrees with the dynamic program on random graphs, in any order and in the given one', () => {
    let moved = 0
    for (let k = 0; k < 16; k++) {
      const { text, capacity } = random(7 + below(2), 6)
      const bare = least(text, capacity, 'capacity')
      const gaps = least(text, capacity, 'gaps')
      const joint = cosma(capacity)
      const given = cosma(capacity, '--schedule=file')
      expect(joint.outcome).toBe('optimal')
      expect(joint.traffic).toBeGreaterThanOrEqual(bare as number)
      expect(given.traffic).toBeGreaterThanOrEqual(gaps as number)
      if ((joint.traffic as number) > (bare as number)) expect(least(text, capacity, 'addresses')).toBe(joint.traffic)
      else moved += (bare as number) > 0 ? 1 : 0
    }
    expect(moved).toBeGreaterThan(2)
  })

  it('has the model’s inputs outside, its outputs copied, and the room of workspaces', () => {
    const text =
      'tensor,x,4,input\ntensor,a,8\ntensor,b,5\ntensor,c,8\ntensor,d,5\ntensor,y,2,output\n' +
      'op,a0,Conv,x,a,,,3\nop,c0,Conv,x,c\nop,a1,Pool,a,b\nop,c1,Pool,c,d\nop,end,Add,b;d,y\n'
    expect(least(text, 15, 'addresses')).toBe(14)
    expect(least(text, 15, 'gaps')).toBe(cosma(15, '--schedule=file').traffic)
    expect(least(text, 18, 'addresses')).toBe(0)
    expect(least(text, 14, 'capacity')).toBeUndefined()
  })

  it('is one that any solver can read: sections begin lines, and no constraint has a variable twice', () => {
    const still = 'tensor,x,2,input\ntensor,y,1,output\nop,o,Op,x,y\n'
    const twice =
      'tensor,x,2,input\ntensor,a,2\ntensor,b,1,output\ntensor,y,1,output\nop,o0,Op,x,a;b\nop,o1,Op,x;a,y,,,2\n'
    for (const text of [still, twice])
      for (const kind of ['addresses', 'capacity', 'gaps']) {
        writeFileSync(model, text)
        const { out } = arenascope(['lower', model, '--lp=-', `--lp_model=${kind}`, '--capacity=9'])
        expect(out).toMatch(/^minimize\n(.*\n)+subject to\n(.*\n)+binary\n(.*\n)+end\n$/)
        const rows = out
          .slice(out.indexOf('subject to'), out.search(/^(bounds|binary)$/m))
          .split('\n')
          .slice(1)
        for (const row of rows) {
          const names = row.replace(/^.*:/, '').match(/[a-z]\w*/g) ?? []
          expect(new Set(names).size, row).toBe(names.length)
        }
        expect(least(text, 9, kind)).toBe(0)
      }
  })

  it('refuses what it has no words for', () => {
    writeFileSync(
      model,
      'tensor,x,4,input\ntensor,a,4\ntensor,b,4\ntensor,y,4,output\nop,f,X,x,a\nop,g,Relu,a,b,b=a\nop,h,X,b,y\n',
    )
    const lower = (...flags: string[]) => arenascope(['lower', model, '--lp=-', ...flags])
    expect(lower('--capacity=8', '--inplace')).toMatchObject({ code: 2, err: expect.stringContaining('inplace: ') })
    expect(lower().err).toContain('--capacity: is missing')
    expect(lower('--capacity=8', '--lp_model=x').err).toContain('expected addresses, capacity or gaps')
    expect(arenascope(['lower', model, '--lp_model=gaps']).err).toContain(
      '--lp_model: there is no such flag without --lp',
    )
  })
})
