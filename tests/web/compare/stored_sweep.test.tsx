/** A folder that Python's arenascope.sweep wrote, as the matrix. The one here is of the examples five and ten: tests/python/test_sweep.py makes others. Beside it one of its files in two groups of rows. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import type { Client, Manifest } from '../../../wasm/client/types'
import { PartError } from '../../../web/src/base/later'
import { MatrixTab } from '../../../web/src/panels/compare/matrix'
import { cancelMatrix, matrix, startMatrix } from '../../../web/src/run/compare/matrix'
import { sweptOf } from '../../../web/src/run/compare/stored_rows'
import { openSweep as open, readInWorker, reading, type SweepWorker } from '../../../web/src/run/compare/stored_sweep'
import { notice } from '../../../web/src/state/atoms'
import { MATRIX } from '../../../web/src/state/compare/compare'
import { workbench } from '../../../web/src/state/workbench_cells'
import { fireEvent, press, screen, stand, until } from '../support/stand'

const FOLDER = join(import.meta.dirname, 'fixtures/sweep')
const on = stand()
afterEach(() => void vi.unstubAllGlobals())
/** Without a worker. */
const direct: typeof readInWorker = (shards, done) => sweptOf(shards, done)
const openSweep = (folder: File[]) => open(folder, direct)

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
  const slow = held()
  await openSweep(files())
  const shown = matrix.get()
  expect(shown).not.toBe(before)
  slow.go()
  await slow.opened
  expect(matrix.get()).toBe(shown)
})

/** A sweep that is read, or cannot be, when the test says so. */
function held() {
  let go = () => {}
  let fail = (_error: Error) => {}
  const opened = open(files(), async (...asked) => {
    await new Promise<void>((resolve, reject) => {
      go = resolve
      fail = reject
    })
    return direct(...asked)
  })
  return { opened, go, fail }
}

it('says nothing of a sweep that was overtaken, or cancelled, and could not be read', async () => {
  const late = held()
  await openSweep(files())
  late.fail(new Error('gone'))
  await expect(late.opened).resolves.toBeUndefined()
  const cancelled = held()
  cancelMatrix()
  expect(reading.get()).toBeNull()
  cancelled.fail(new Error('gone'))
  await expect(cancelled.opened).resolves.toBeUndefined()
})

it('gives way to a run that is asked for meanwhile, and a run to it', async () => {
  const manifest: Manifest = await on.client.manifest()
  // a run that comes to no end
  const never: Client = Object.assign(Object.create(on.client), { open: () => new Promise(() => {}), dispose() {} })
  const run = () => startMatrix(manifest, { ...MATRIX, solvers: ['exact'] }, () => never)
  const slow = held()
  const running = run()
  expect(reading.get()).toBeNull()
  await until(() => expect(matrix.get()?.work.kind).toBe('running'))
  slow.go()
  await slow.opened
  expect(matrix.get()).toMatchObject({ work: { kind: 'running' }, solvers: ['exact'] })
  expect(matrix.get()?.stored).toBeUndefined()
  // not only once it is read: what the run tells meanwhile would be told of the sweep's rows
  const second = held()
  expect(matrix.get()?.work.kind).toBe('cancelled')
  await running
  second.go()
  await second.opened
  expect(matrix.get()).toMatchObject({ stored: 'sweep', work: { kind: 'done' } })
})

it('is read in a worker that ends with it, or once it is not wanted any more', async () => {
  const worker: SweepWorker = {
    onmessage: null,
    onerror: null,
    onmessageerror: null,
    postMessage: vi.fn(),
    terminate: vi.fn(),
  }
  const ask = () => open(files(), (shards, done, signal) => readInWorker(shards, done, signal, () => worker))
  const ended = () => expect(worker.terminate).toHaveBeenCalledTimes(times++)
  let times = 1
  const overtaken = ask()
  await openSweep(files())
  await overtaken
  ended()
  const cancelled = ask()
  on.show(<MatrixTab />)
  press(/^Cancel/)
  await cancelled
  ended()
  expect(screen.queryByText(/^Reading the sweep/)).toBeNull()
  // its script does not come
  const unfetched = ask()
  worker.onerror?.(new Event('error') as ErrorEvent)
  await expect(unfetched).rejects.toBeInstanceOf(PartError)
  ended()
  // it has begun, and has too little memory
  for (const message of ['', 'out of memory']) {
    const lost = ask()
    worker.onmessage?.({ data: 0 } as MessageEvent)
    worker.onerror?.({ message } as ErrorEvent)
    await expect(lost).rejects.toThrow(message || 'it may be larger than there is memory')
    await expect(lost).rejects.not.toBeInstanceOf(PartError)
    ended()
  }
  const unsent = ask()
  worker.onmessageerror?.({} as MessageEvent)
  await expect(unsent).rejects.toThrow('could not be handed over')
  ended()
})

it('offers to try again where the page could not fetch what reads it', async () => {
  const made: SweepWorker[] = []
  vi.stubGlobal(
    'Worker',
    class extends EventTarget {
      onerror: SweepWorker['onerror'] = null
      postMessage() {}
      terminate() {}
      constructor() {
        super()
        made.push(this as unknown as SweepWorker)
      }
    },
  )
  const page = on.show(<MatrixTab />)
  const input = page.querySelector('input[type=file]') as HTMLInputElement
  Object.defineProperty(input, 'files', { value: files() })
  fireEvent.change(input)
  await until(() => expect(made).toHaveLength(1))
  made[0]?.onerror?.(new Event('error') as ErrorEvent)
  await until(() => expect(notice.get()?.text).toMatch(/could not be fetched/))
  notice.get()?.action?.act()
  expect(notice.get()).toBeNull()
  await until(() => expect(made).toHaveLength(2))
  cancelMatrix()
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

/** A file of the sweep whose bytes are changed. */
async function changed(name: RegExp, change: (bytes: Uint8Array) => void): Promise<File> {
  const [shard] = files(name)
  const bytes = new Uint8Array((await shard?.arrayBuffer()) ?? new ArrayBuffer(0))
  change(bytes)
  return new File([bytes], 'a.parquet')
}

it('names the file and the row that is none of a sweep', async () => {
  // options of "{x" in place of "{}"
  const file = await changed(/^58.*parquet$/, (bytes) => {
    for (let at = 1; at < bytes.length; at += 1) if (bytes[at - 1] === 0x7b && bytes[at] === 0x7d) bytes[at] = 0x78
  })
  await expect(openSweep([file])).rejects.toThrow('a.parquet, row 1, is none of arenascope.sweep: see its options.')
})

it('reads a file group by group, and no row of one that has too many', async () => {
  const one = await sweptOf(files(/^72.*parquet$/), () => {})
  const groups = new File([readFileSync(join(FOLDER, '../groups.parquet'))], 'groups.parquet')
  expect(await sweptOf([groups], () => {})).toEqual(one)
  // the limit is of all files: 16 rows and 2 more
  expect((await sweptOf([groups, ...files(/^58.*parquet$/)], () => {}, 18)).count).toBe(18)
  await expect(sweptOf([groups, ...files(/^58.*parquet$/)], () => {}, 17)).rejects.toThrow('There are more than')
  const unreadable = await changed(/^58.*parquet$/, (bytes) => bytes.fill(0x5a, 4, 900))
  await expect(sweptOf([unreadable], () => {})).rejects.toThrow('cannot be read')
  await expect(sweptOf([unreadable], () => {}, 1)).rejects.toThrow('There are more than')
})
