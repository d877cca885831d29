import { readFileSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { fetchModule } from './module'

const URL_OF_LEAN = new URL('https://arenascope.test/lean.wasm')
const bytes = readFileSync('build/wasm/lean.wasm')

afterEach(() => vi.unstubAllGlobals())

/** What the module's address answers with. */
const answers = (answer: () => Promise<Response>) => vi.stubGlobal('fetch', vi.fn(answer))

test.each(['application/wasm', 'application/octet-stream'])('compiles what a host sends as %s', async (type) => {
  answers(async () => new Response(bytes, { headers: { 'content-type': type } }))
  expect(WebAssembly.Module.exports(await fetchModule(URL_OF_LEAN)).length).toBeGreaterThan(10)
})

test('says why the file could not be fetched', async () => {
  answers(async () => new Response('', { status: 404 }))
  await expect(fetchModule(URL_OF_LEAN)).rejects.toMatchObject({
    reason: 'protocol',
    message: expect.stringContaining('could not be fetched (404)'),
  })
  answers(() => Promise.reject(new TypeError('Failed to fetch')))
  await expect(fetchModule(URL_OF_LEAN)).rejects.toThrow('could not be fetched (Failed to fetch)')
})

test('an engine without vectors is told which ones have them, and fetches nothing', async () => {
  answers(async () => new Response(bytes))
  const { validate } = WebAssembly
  const old = vi.spyOn(WebAssembly, 'validate')
  // such an engine takes a type that it does not know for a mistake
  old.mockImplementation((source) => validate(source) && !new Uint8Array(source as ArrayBuffer).includes(123))
  await expect(fetchModule(URL_OF_LEAN)).rejects.toMatchObject({
    reason: 'protocol',
    message: expect.stringMatching(/SIMD.*Chrome.*Safari from 16\.4/),
  })
  expect(fetch).not.toHaveBeenCalled()
  old.mockRestore()
  await expect(fetchModule(URL_OF_LEAN)).resolves.toBeDefined()
})
