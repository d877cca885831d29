/** A folder that Python's arenascope.sweep wrote, as the matrix. The one here is of the examples five and ten: tests/python/test_sweep.py makes others. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { MatrixTab } from '../../../web/src/panels/compare/matrix'
import { matrix } from '../../../web/src/run/compare/matrix'
import { sweptOf } from '../../../web/src/run/compare/stored_rows'
import { openSweep as open, reading } from '../../../web/src/run/compare/stored_sweep'
import { notice } from '../../../web/src/state/atoms'
import { workbench } from '../../../web/src/state/workbench_cells'
import { press, screen, stand, until } from '../support/stand'

const FOLDER = join(import.meta.dirname, 'fixtures/sweep')
const on = stand()
/** Without a worker. */
const openSweep = (folder: File[]) => open(folder, sweptOf)

function files(wanted = /\.(parquet|csv)$/): File[] {
  const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => wanted.test(name))
  return names.map((name) => {
    const file = new File([readFileSync(join(FOLDER, name))], name.split('/').pop() ?? '')
    Object.defineProperty(file, 'webkitRelativePath', { value: `sweep/${name}` })
    return file
  })
}

it('shows of each solver the best at each problem and capacity', async () => {
  await openSweep(files())
  const now = matrix.get()
  expect(now).toMatchObject({ stored: 'sweep', solvers: ['exact', 'greedy', 'no-such'], work: { kind: 'done' } })
  const row = now?.rows.find(({ instance }) => instance.title === 'five' && instance.note === '12 bytes')
  expect(row?.facts).toEqual({ count: 5, lowerBound: 12, capacity: 12 })
  expect(row?.cells[0]).toMatchObject({ outcome: 'optimal', height: 12, note: 'the best of 2' })
  expect(row?.cells[2]).toMatchObject({ outcome: 'refused', height: -1 })
  expect(now?.rows.filter(({ instance }) => instance.note.endsWith('maxim-max78000'))).toHaveLength(2)
  on.show(<MatrixTab />)
  expect(screen.getByRole('table', { name: 'Solvers in sweep' })).toBeTruthy()
})

it('opens a cell as the sweep ran it, where the problem is in the folder', async () => {
  await openSweep(files())
  on.show(<MatrixTab />)
  press(/^five, greedy/i)
  await until(() => expect(on.client.config).toMatchObject({ solver: 'greedy', capacity: 12, budget: 0 }))
  expect(on.client.opened.at(-1)).toMatch(/^id,lower,upper,size/)
  expect(workbench.opened.get()?.source).toMatchObject({ kind: 'text', name: 'five.csv' })
  on.client.finish()
  await openSweep(files(/\.parquet$/))
  on.show(<MatrixTab />)
  press(/^five, greedy/i)
  await until(() => expect(notice.get()?.text).toMatch(/^The problem is not in the folder/))
})

it('tells how far it is, and shows the last that was asked for', async () => {
  const told: unknown[] = []
  const stop = reading.subscribe(() => told.push(reading.get()))
  await openSweep(files())
  stop()
  const shards = files(/\.parquet$/).length
  expect(told.at(-2)).toEqual({ done: shards, of: shards })
  expect(told.at(-1)).toBeNull()
  const before = matrix.get()
  let late = () => {}
  const slow = open(files(), async (...asked) => {
    await new Promise<void>((go) => {
      late = go
    })
    return sweptOf(...asked)
  })
  await openSweep(files())
  const shown = matrix.get()
  expect(shown).not.toBe(before)
  late()
  await slow
  expect(matrix.get()).toBe(shown)
})

it('says what is no store of a sweep, and keeps what was shown', async () => {
  await openSweep(files())
  const before = matrix.get()
  await expect(openSweep([new File(['id'], 'a.csv')])).rejects.toThrow('no Parquet file')
  await expect(openSweep([new File(['PAR1 and nothing'], 'a.parquet')])).rejects.toThrow('a.parquet cannot be read')
  const [shard] = files(/\.parquet$/)
  const bytes = new Uint8Array((await shard?.arrayBuffer()) ?? new ArrayBuffer(0))
  for (let at = 4; at < bytes.length; at += 97) {
    const damaged = bytes.slice()
    damaged[at] = (damaged[at] ?? 0) ^ 0x5a
    // it is read or refused, and never anything else
    await openSweep([new File([damaged], 'a.parquet')]).catch((error: unknown) => expect(error).toBeInstanceOf(Error))
  }
  await openSweep(files())
  expect(matrix.get()).toEqual(before)
})
