/** Graphs cut into tiles: the command, and from there to a plan. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { arenascope, folder, read, solveJson } from './command'

/** Layers of 3x3 on 64 by 32 pixels of 32 channels. */
function chain(layers: number): string {
  const tensor = (k: number) => {
    const kind = k === 0 ? 'input' : k === layers ? 'output' : ''
    return `tensor,t${k},65536,${kind},,1x32x64x32,int8,NCHW\n`
  }
  const op = (k: number) => `op,conv${k},Conv,t${k},t${k + 1},,,,1 * 3/1-1 3/1-1\n`
  const count = (n: number) => Array.from({ length: n }, (_, k) => k)
  return [...count(layers + 1).map(tensor), ...count(layers).map(op)].join('')
}

const graph = join(folder, 'chain.graph.csv')
writeFileSync(graph, chain(3))

/** The height of taa's plan of the graph's tiles, all buffers counted. */
function height(...flags: string[]): number {
  const { code, out } = arenascope(['tile', graph, ...flags])
  expect(code).toBe(0)
  const done = solveJson(['-', '--solver=taa', '--io', '--capacity=1GiB', '--minimize', '--validate'], out)
  expect(done).toMatchObject({ code: 0, valid: true })
  return done.height as number
}

describe('arenascope tile', () => {
  it('makes tasks that taa plans', () => {
    const made = arenascope(['tile', graph, '--capacity=16KiB', '--layout=NHWC'])
    // rows of 1024 bytes: seven of the output need nine of the input
    expect(made.err).toBe('4 tensors, 30 tasks\n')
    expect(made.out).toMatch(/^tiled,t0,1,1x32x64x32,NHWC,input\n/)
    expect(made.out).toContain('task,conv0:1,t0@0:1x0:32x6:15x0:32,t1@0:1x0:32x7:14x0:32\n')
    // below one another with halo and tile between them, or one over the other
    expect(height('--capacity=16KiB', '--layout=NHWC')).toBeLessThan(2 * 65536)
    expect(height('--capacity=16KiB', '--layout=NHWC', '--order=alternating')).toBeLessThanOrEqual(
      height('--capacity=16KiB', '--layout=NHWC'),
    )
    expect(height('--capacity=16KiB', '--layout=NHWC', '--order=depth')).toBeLessThan(2 * 65536)
    // a layer that has its whole input on the chip writes over it
    expect(height('--capacity=128KiB')).toBe(65536)
  })

  it('takes the bytes on the chip from a profile', () => {
    const { code, err } = arenascope(['tile', graph, '--profile=arm-ethos-u65-512k'])
    expect([code, err]).toEqual([0, '4 tensors, 3 tasks\n'])
  })

  it('tiles what a plan leaves outside: cosma, tile, taa, check', () => {
    // a is out while c is worked on, and needed again for e
    const text = `tensor,a,2048,,,1x32x8x8,int8,NCHW\ntensor,b,3072\ntensor,c,6144\ntensor,d,3072\ntensor,e,2048,output
op,oa,X,,a\nop,ob,X,a,b\nop,oc,X,b,c\nop,od,X,c,d\nop,oe,X,a;d,e\n`
    const model = join(folder, 'spills.graph.csv')
    const [stays, tasks, plan] = ['stays', 'spills', 'places'].map((name) => join(folder, `${name}.csv`)) as [
      string,
      string,
      string,
    ]
    writeFileSync(model, text)
    const spilled = solveJson([model, '--solver=cosma', '--goal=traffic', '--capacity=9KiB', `--output=${stays}`])
    expect(spilled).toMatchObject({ outcome: 'optimal', traffic: 4096 })
    const made = arenascope(['tile', model, `--plan=${stays}`, '--capacity=1KiB', '--layout=NHWC', `--output=${tasks}`])
    expect([made.code, made.err]).toEqual([0, '1 tensors, 4 tasks\n'])
    expect(read(tasks)).toBe(
      `tiled,a,1,1x32x8x8,NHWC
task,a out:0,,a@0:1x0:32x0:4x0:8
task,a out:1,,a@0:1x0:32x4:8x0:8
task,a in 4:0,a@0:1x0:32x0:4x0:8,
task,a in 4:1,a@0:1x0:32x4:8x0:8,
`,
    )
    const flags = ['--solver=taa', '--capacity=1MiB', '--minimize', '--validate', `--output=${plan}`]
    expect(solveJson([tasks, ...flags])).toMatchObject({ code: 0, valid: true, height: 2048 })
    expect(arenascope(['check', plan, '--capacity=2KiB']).code).toBe(0)
    // whole tensors, where nothing says how much is copied at once
    expect(arenascope(['tile', model, `--plan=${stays}`]).err).toBe('1 tensors, 2 tasks\n')
    expect(arenascope(['tile', model, `--plan=${model}`]).err).toContain('is no plan with a row for each stay')
    writeFileSync(stays, read(stays).replace('a,0,outside,2,4', 'a,0,outside,3,4'))
    expect(arenascope(['tile', model, `--plan=${stays}`]).err).toContain('is not valid, see arenascope check')
    expect(arenascope(['tile', graph, `--plan=${stays}`]).code).toBe(2)
  })

  it.each([
    [[], /^arenascope: --capacity: is missing, expected the bytes on the chip, or --profile\n$/],
    [['--capacity=288'], /capacity is 288, but the least tile of “conv0” takes 289: 288 read and 1 written/],
    [['--capacity=9000', '--order=width'], /^arenascope: --order: is “width”, expected one of layer/],
    [['--capacity=9000', '--prefetch=2'], /prefetch/],
    [['--capacity=9000', '--profile=none'], /--profile: is "none"/],
  ])('refuses %j', (flags, message) => {
    const answer = arenascope(['tile', graph, ...flags])
    expect([answer.code, answer.out]).toEqual([2, ''])
    expect(answer.err).toMatch(message)
  })

  it('refuses what is no graph, and shapes that are not known', () => {
    expect(arenascope(['tile', '-', '--capacity=9'], 'id,lower,upper,size\na,0,1,2\n').err).toContain('is no graph CSV')
    const bare = 'tensor,x,64,input\ntensor,y,64,output\nop,f,F,x,y\n'
    expect(arenascope(['tile', '-', '--capacity=100'], bare).err).toContain(
      'capacity is 100, but without windows “f” takes 128: 64 read and 64 written',
    )
  })
})
