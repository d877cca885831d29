import { gzipSync, inflateRawSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type ImportWorker, importFile } from '../../web/src/import/import_client'
import type { ImportReply, ImportRequest } from '../../web/src/import/import_worker'
import { NO_ANSWERS } from '../../web/src/import/imported'
import { fromBytes, fromFetch } from '../../web/src/import/source'
import { small, writeTflite } from './tflite/writer'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.doUnmock('../../web/src/import/model')
})

/** As much of a Blob as the worker touches, which counts what its reader reads of it. */
class Bytes {
  static read = 0
  readonly #bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }
  get size() {
    return this.#bytes.length
  }
  slice(from: number, to?: number) {
    return new Bytes(this.#bytes.slice(from, to))
  }
  stream() {
    return new Blob([this.#bytes.slice()]).stream()
  }
  async arrayBuffer() {
    return this.#bytes.slice().buffer
  }
  buffer() {
    Bytes.read += this.#bytes.length
    return this.#bytes.slice().buffer
  }
}

// a copy, as a Buffer's slice is none
const asked = (bytes: Uint8Array) => new Bytes(new Uint8Array(bytes)) as unknown as Blob

/** The worker's own code, behind its global. */
async function worker(): Promise<{ ask: (request: ImportRequest) => ImportReply[] }> {
  const replies: ImportReply[] = []
  const scope: {
    onmessage: ((event: { data: ImportRequest }) => void) | null
    postMessage: (reply: ImportReply) => void
  } = {
    onmessage: null,
    postMessage: (reply) => replies.push(reply),
  }
  vi.stubGlobal('self', scope)
  vi.stubGlobal('navigator', {})
  vi.stubGlobal(
    'FileReaderSync',
    class {
      readAsArrayBuffer(blob: Bytes) {
        return blob.buffer()
      }
    },
  )
  vi.resetModules()
  await import('../../web/src/import/import_worker')
  return {
    ask(request) {
      scope.onmessage?.({ data: request })
      return replies
    },
  }
}

/** As browsers have it, which take one member and refuse what follows; Node takes several. */
class OneMember extends TransformStream<Uint8Array, Uint8Array> {
  constructor() {
    const pieces: Uint8Array[] = []
    super({
      transform: (piece) => void pieces.push(piece),
      flush(out) {
        const bytes = Buffer.concat(pieces)
        const { buffer, engine } = inflateRawSync(bytes.subarray(10), { info: true } as object) as unknown as {
          buffer: Uint8Array
          engine: { bytesWritten: number }
        }
        if (10 + engine.bytesWritten + 8 < bytes.length) throw new TypeError('Junk found after end of compressed data.')
        out.enqueue(buffer)
      },
    })
  }
}

describe('the worker', () => {
  it('reads a file without its weights and tells how far it is', async () => {
    const weights = 20 << 20
    const model = writeTflite(small)
    const file = new Uint8Array(model.length + weights)
    file.set(model)
    const { ask } = await worker()
    Bytes.read = 0
    const replies = ask({ file: asked(file), name: 'm.tflite', answers: NO_ANSWERS })
    const last = replies.at(-1)
    expect(last).toMatchObject({ type: 'done', imported: { ok: true, format: 'tflite' } })
    expect(Bytes.read).toBeLessThan(weights / 2)
    const parts = replies.flatMap((reply) => (reply.type === 'progress' ? [reply.done] : []))
    expect(parts.at(-1)).toBe(1)
    expect(parts).toEqual(parts.toSorted((a, b) => a - b))
  })

  it('reads what is inside of a gzip, and says where that is damaged', async () => {
    const { ask } = await worker()
    const packed = gzipSync('id,lower,upper,size\na,0,1,5\n')
    const replies = ask({ file: asked(packed), name: 'a.csv.gz', answers: NO_ANSWERS })
    await vi.waitFor(() => expect(replies).toHaveLength(1))
    expect(replies[0]).toMatchObject({ imported: { ok: true, csv: 'id,lower,upper,size\na,0,1,5\n' } })
    ask({ file: asked(packed.subarray(0, 12)), name: 'b.gz', answers: NO_ANSWERS })
    await vi.waitFor(() => expect(replies).toHaveLength(2))
    expect(replies[1]).toMatchObject({
      imported: {
        ok: false,
        message: expect.stringMatching(/^b\.gz: it is compressed by gzip and cannot be unpacked/),
      },
    })
  })

  it('reads a gzip of several members, and refuses what is none behind them', async () => {
    vi.stubGlobal('DecompressionStream', OneMember)
    const { ask } = await worker()
    const members = ['id,lower,upper,size\n', 'a,0,1,5\n', '', 'b,1,2,5\n'].map((text) => gzipSync(text))
    const replies = ask({ file: asked(Buffer.concat(members)), name: 'a.csv.gz', answers: NO_ANSWERS })
    await vi.waitFor(() => expect(replies).toHaveLength(1))
    expect(replies[0]).toMatchObject({ imported: { ok: true, csv: 'id,lower,upper,size\na,0,1,5\nb,1,2,5\n' } })
    const junk = Buffer.from('more than a member')
    for (const [k, file] of [
      [...members.slice(0, 1), junk],
      [...members, junk],
    ].entries()) {
      ask({ file: asked(Buffer.concat(file)), name: 'b.gz', answers: NO_ANSWERS })
      await vi.waitFor(() => expect(replies).toHaveLength(k + 2))
      expect(replies[k + 1]).toMatchObject({ imported: { ok: false, message: expect.stringMatching(/Junk found/) } })
    }
  })

  it("hands a reader's defect on as one, not as a fault of the gzip", async () => {
    const defect = new TypeError('a defect')
    vi.doMock('../../web/src/import/model', () => ({
      importModel: () => {
        throw defect
      },
    }))
    const reported = vi.fn()
    vi.stubGlobal('reportError', reported)
    const { ask } = await worker()
    const replies = ask({ file: asked(gzipSync('text')), name: 'a.gz', answers: NO_ANSWERS })
    await vi.waitFor(() => expect(reported).toHaveBeenCalledWith(defect))
    expect(replies).toEqual([])
  })

  it('reads a pasted text', async () => {
    const { ask } = await worker()
    const [reply] = ask({ file: 'nothing', name: 'pasted text', answers: NO_ANSWERS })
    expect(reply).toMatchObject({
      type: 'done',
      imported: { ok: false, message: expect.stringMatching(/^pasted text: /) },
    })
  })
})

class FakeWorker implements ImportWorker {
  onmessage: ImportWorker['onmessage'] = null
  onerror: ImportWorker['onerror'] = null
  onmessageerror: ImportWorker['onmessageerror'] = null
  requests: ImportRequest[] = []
  ended = 0
  postMessage(request: ImportRequest) {
    this.requests.push(request)
  }
  terminate() {
    this.ended++
  }
  reply(data: ImportReply) {
    this.onmessage?.({ data } as MessageEvent<ImportReply>)
  }
}

describe('the client', () => {
  const start = (signal = new AbortController().signal) => {
    const fake = new FakeWorker()
    const progress: number[] = []
    const answer = importFile(
      'text',
      NO_ANSWERS,
      (done) => progress.push(done),
      signal,
      () => fake,
    )
    return { fake, progress, answer }
  }

  it('hands on progress and the answer, and ends the worker', async () => {
    const { fake, progress, answer } = start()
    expect(fake.requests).toEqual([{ file: 'text', name: 'pasted text', answers: NO_ANSWERS }])
    fake.reply({ type: 'progress', done: 0.25 })
    const imported = { ok: true as const, csv: 'text', notes: [], format: 'csv' }
    fake.reply({ type: 'done', imported })
    expect(await answer).toBe(imported)
    expect({ progress, ended: fake.ended }).toEqual({ progress: [0.25], ended: 1 })
  })

  it('is cancelled by its signal, before or while', async () => {
    const controller = new AbortController()
    const { fake, answer } = start(controller.signal)
    controller.abort()
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
    expect(fake.ended).toBe(1)
    const late = start(controller.signal)
    await expect(late.answer).rejects.toMatchObject({ name: 'AbortError' })
    expect(late.fake.requests).toEqual([])
  })

  it('makes a message of a worker that fails', async () => {
    const { fake, answer } = start()
    fake.onerror?.({ message: 'out of memory' } as ErrorEvent)
    expect(await answer).toEqual({ ok: false, message: 'pasted text: reading it failed: out of memory', questions: [] })
    expect(fake.ended).toBe(1)
    const other = start()
    other.fake.onmessageerror?.({} as MessageEvent)
    expect(await other.answer).toMatchObject({
      ok: false,
      message: 'pasted text: what was read could not be handed over.',
    })
  })
})

describe('a source', () => {
  const piece = (from: number, length: number) => {
    const bytes = new Uint8Array(length)
    for (let index = 0; index < length; index++) bytes[index] = ((from + index) * 7919) >> 8
    return bytes
  }
  const size = 100_000_000

  it('reads the same in windows as at once', () => {
    let fetched = 0
    const windows = fromFetch(size, (from, length) => {
      fetched++
      return piece(from, length)
    })
    for (const [from, length] of [
      [0, 4],
      [262142, 4],
      [262144, 262144],
      [100, 1_000_000],
      [size - 3, 3],
      [size, 0],
      [8, 8],
    ] as const)
      expect(Buffer.compare(windows.read(from, length), piece(from, length))).toBe(0)
    const before = fetched
    windows.read(16, 8)
    expect(fetched).toBe(before)
    for (let from = 0; from < size; from += 1_000_000) windows.read(from, 8)
    // few are kept: the first is not any more
    const all = fetched
    windows.read(16, 8)
    expect(fetched).toBe(all + 1)
  })

  it('fetches a small file once', () => {
    let fetched = 0
    const whole = fromFetch(1000, (from, length) => {
      fetched++
      return piece(from, length)
    })
    expect(whole.read(500, 9)).toEqual(piece(500, 9))
    expect(whole.read(0, 1000)).toEqual(piece(0, 1000))
    expect(fetched).toBe(1)
  })

  it('refuses what lies outside', () => {
    const bytes = new Uint8Array(1000)
    for (const source of [fromBytes(bytes), fromFetch(size, (_, length) => new Uint8Array(length))]) {
      expect(() => source.read(source.size - 1, 2)).toThrow(RangeError)
      expect(() => source.read(-1, 1)).toThrow(RangeError)
      expect(() => source.read(0, Number.NaN)).toThrow(RangeError)
    }
  })
})
