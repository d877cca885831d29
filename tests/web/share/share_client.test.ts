import { deflateSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import format from '../../../web/docs/link-format.json'
import { readLink, readLong, writeLong } from '../../../web/src/run/share/share_client'
import type { ShareQuestion } from '../../../web/src/run/share/share_worker'

afterEach(() => vi.unstubAllGlobals())

/** A worker that runs the code of ours behind its global, and says how often it was ended. */
async function worker() {
  const scope = { postMessage: vi.fn(), onmessage: null as ((event: { data: ShareQuestion }) => void) | null }
  vi.stubGlobal('self', scope)
  vi.stubGlobal('navigator', {})
  vi.resetModules()
  await import('../../../web/src/run/share/share_worker')
  const page = {
    onmessage: null as ((event: { data: unknown }) => void) | null,
    onerror: null as ((event: unknown) => void) | null,
    postMessage: (question: ShareQuestion) => scope.onmessage?.({ data: question }),
    terminate: vi.fn(),
  }
  scope.postMessage.mockImplementation((data) => page.onmessage?.({ data }))
  return { page, make: () => page as unknown as Worker }
}

/** One that never answers. */
function silent() {
  const page = { onmessage: null, onerror: null as (() => void) | null, postMessage: vi.fn(), terminate: vi.fn() }
  return { page, make: () => page as unknown as Worker }
}

describe('what is shared, in a worker', () => {
  it('is a link read there, which then ends', async () => {
    const { page, make } = await worker()
    const [{ fragment, shared } = { fragment: '', shared: {} }] = format.vectors
    expect(await readLink(fragment, make)).toEqual({ ok: true, shared: { ...format.defaults, ...shared } })
    expect(page.terminate).toHaveBeenCalledOnce()
    expect(page.onerror).toBeNull()
  })

  it('is a link refused there that unpacks to too much', async () => {
    const { make } = await worker()
    const bomb = deflateSync(Buffer.alloc(64 * 2 ** 20), { level: 9 }).toString('base64url')
    expect(await readLink(`s1.${bomb}`, make)).toEqual({ ok: false, message: 'This link holds more than a link may.' })
  })

  it('is a long file written and read there', async () => {
    const value = { source: { kind: 'text', text: '' } }
    const file = await writeLong({ value, text: new Blob(['a,b\n']) }, (await worker()).make)
    const read = await readLong(file, (await worker()).make)
    expect(read?.value).toEqual(value)
    expect(await read?.text.text()).toBe('a,b\n')
  })

  it.each([
    ['link', (make: () => Worker) => readLink('s1.', make), /could not be fetched.*the link stays in the address/],
    ['file', (make: () => Worker) => readLong(new Blob(['{}']), make), /may be larger than there is memory/],
  ])('is a %s said not to be read whose worker never comes, or dies', async (_, read, why) => {
    const { page, make } = silent()
    const answer = read(make)
    page.onerror?.()
    await expect(answer).rejects.toThrow(why)
    expect(page.terminate).toHaveBeenCalledOnce()
  })
})
