/** npm run zoo, without npm; and the graph files that lie beside the examples. */
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { generate, zoo } from '../../examples/zoo'
import { writeGraphCsv } from '../../web/src/import/graph_csv'
import { run } from '../../web/tools/zoo.ts'
import { example, read, solveJson } from '../cli/command'

describe('the command', () => {
  it('lists the networks', async () => {
    const { code, out } = await run([])
    expect(code).toBe(0)
    for (const { id, title, text } of zoo) expect(out).toContain(`\n  ${id.padEnd(20)} ${title}. ${text}\n`)
  })

  it('writes a network with its options', async () => {
    const entry = zoo.find(({ id }) => id === 'mobilenet_v2') as (typeof zoo)[number]
    const expected = { size: 96, batch: 2, bytes: 4, fuse: false, weights: false, first: 'block1.0.dw', last: '20' }
    const given = [
      '--size=96',
      '--batch=2',
      '--bytes=4',
      '--no-fuse',
      '--no-weights',
      '--first=block1.0.dw',
      '--last=20',
    ]
    const answer = await run([entry.id, ...given])
    expect(answer).toEqual({ code: 0, out: writeGraphCsv(await generate(entry, expected)), err: '' })
    expect(answer.out).not.toBe((await run([entry.id])).out)
  })

  it.each([
    [['alexnet'], 2, /^zoo: there is no network alexnet\n\nusage/],
    [['resnet50', '--size'], 2, /^zoo: there is no option --size\n/],
    [['resnet50', '--size=2e2'], 2, /^zoo: --size=2e2: expected a whole number\n/],
    [['resnet50', '--fuse'], 2, /^zoo: there is no option --fuse\n/],
    [['resnet50', '--bytes=3'], 1, /^zoo: bytes: expected 1, 2 or 4, found 3\n$/],
    [['resnet50', '--last=conv9'], 1, /^zoo: last: resnet50 has no operator conv9/],
  ])('%j ends with %d', async (args, code, message) => {
    const answer = await run(args)
    expect([answer.code, answer.out]).toEqual([code, ''])
    expect(answer.err).toMatch(message)
  })
})

describe('the files', () => {
  const files = readdirSync(example('graphs'))
  it.each(files)('%s is what the command writes', async (file) => {
    const { code, out } = await run([file.replace('.graph.csv', '')])
    expect([code, out]).toEqual([0, read(example(`graphs/${file}`))])
  })

  it.each([
    ['blazeface', 344064],
    ['mobilenet_v2', 1505280],
    ['resnet50_fpn', 2671872],
    ['squeezenet1_1', 982144],
  ])('%s is solved at its load, %d', (id, lowerBound) => {
    expect(files).toContain(`${id}.graph.csv`)
    const done = solveJson(['--solver=exact', '--capacity=peak', '--validate', example(`graphs/${id}.graph.csv`)])
    expect(done).toMatchObject({ outcome: 'optimal', height: lowerBound, lowerBound, valid: true })
  })

  it('the first of them is what TFLite Micro solves and LiteRT does not', () => {
    const fpn = ['--capacity=peak', example('graphs/resnet50_fpn.graph.csv')]
    expect(solveJson(['--solver=tflm', ...fpn]).outcome).toBe('optimal')
    expect(solveJson(['--solver=litert', ...fpn]).outcome).toBe('over-capacity')
  })

  it('a network from the command with its weights loaded ahead', async () => {
    const { out } = await run(['resnet50'])
    const ahead = ['--constants=streamed', '--prefetch=3', '-']
    const done = solveJson(['--solver=exact', '--capacity=peak', ...ahead], out)
    expect(done).toMatchObject({ outcome: 'optimal', buffers: 181, height: 6350848 })
    expect(solveJson(['--solver=tflm', '--capacity=peak', ...ahead], out).outcome).toBe('over-capacity')
  })
})
