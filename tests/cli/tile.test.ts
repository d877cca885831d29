/** Graphs cut into tiles: the command, and from there to a plan. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { arenascope, folder, solveJson } from './command'

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
