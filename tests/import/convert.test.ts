import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { convert } from '../../web/tools/convert_model'
import { small, writeTflite } from './tflite_writer'

const folder = mkdtempSync(join(tmpdir(), 'arenascope-convert-'))
function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** Runs it in this process, as the command does once it is bundled. */
async function run(...args: string[]) {
  const got = { out: '', err: '' }
  const { stdout, stderr } = process
  const keep = [stdout.write, stderr.write] as const
  stdout.write = ((text: string, done: () => void) => {
    got.out += text
    done()
  }) as typeof stdout.write
  stderr.write = ((text: string) => {
    got.err += text
  }) as unknown as typeof stderr.write
  try {
    const code = await convert(args)
    return { code, ...got }
  } finally {
    stdout.write = keep[0]
    stderr.write = keep[1]
  }
}

const open = writeTflite({
  subgraphs: [
    {
      tensors: [
        { name: 'x', shape: [1, 4], signature: [-1, 4] },
        { name: 'y=a,b', shape: [1, 4], signature: [-1, 4] },
      ],
      inputs: [0],
      outputs: [1],
      ops: [{ type: 'PAD', inputs: [0], outputs: [1] }],
    },
  ],
})

describe('npm run convert', () => {
  it('writes graph CSV, or JSON', async () => {
    const path = file('small.tflite', writeTflite(small))
    const csv = await run(path)
    expect(csv).toMatchObject({ code: 0, err: '' })
    expect(csv.out.split('\n').slice(0, 3)).toEqual([
      'tensor,image,192,input,,1x8x8x3,int8',
      'tensor,weights,108,constant,,4x3x3x3,int8',
      'tensor,"conv;bn",256,,,1x8x8x4,int8',
    ])
    const json = await run('--json', path)
    expect(JSON.parse(json.out)).toMatchObject({ name: 'small', ops: [{}, {}, {}] })
    expect((await run(file('again.json', json.out))).out).toBe(csv.out)
  })

  it('says what is open and how to answer, and takes the answers', async () => {
    const path = file('open.tflite', open)
    const asked = await run(path)
    expect(asked).toMatchObject({ code: 1, out: '' })
    expect(asked.err).toContain(
      'open.tflite: the file leaves sizes open, one answer is needed.\n  --dims batch=1   Side 0 is open in x, y=a,b.',
    )
    const told = await run('--dims', 'batch=2,y=a,b[0]=8', path)
    expect(told).toMatchObject({ code: 0, err: 'batch = 2 in 1 tensor.\n' })
    expect(told.out).toContain('tensor,"y=a,b",32,output,,8x4,int8')
  })

  it('passes on what is CSV and writes tables as buffer CSV', async () => {
    expect((await run(file('a.csv', 'id,lower,upper,size\na,0,1,2\n'))).out).toBe('id,lower,upper,size\na,0,1,2\n')
    const log = file('log.txt', '(id=0): size=5, offset=0, first_used=3 last_used=3\n')
    expect((await run(log)).out).toBe('id,lower,upper,size\nid0,3,4,5\n')
  })

  it('tells wrong usage from files that cannot be read', async () => {
    for (const args of [[], ['a', 'b'], ['--dims'], ['--dims=x', 'a'], ['--what', 'a']])
      expect(await run(...args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining('usage: npm run') })
    expect(await run(join(folder, 'none'))).toMatchObject({ code: 1, err: expect.stringContaining('ENOENT') })
    expect(await run(file('bad.tflite', open.subarray(0, 100)))).toMatchObject({
      code: 1,
      err: expect.stringContaining('bad.tflite: '),
    })
  })

  it('runs as a command', () => {
    const root = resolve(import.meta.dirname, '../..')
    const path = file('command.tflite', writeTflite(small))
    const done = spawnSync(process.execPath, [join(root, 'web/tools/convert.mjs'), path], { encoding: 'utf8' })
    expect(done).toMatchObject({ status: 0, stderr: '' })
    expect(done.stdout).toMatch(/^tensor,image,192,/)
  })
})
