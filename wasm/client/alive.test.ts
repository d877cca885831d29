import { afterEach, expect, it, vi } from 'vitest'
import { errorWhenGone } from './alive'

afterEach(() => vi.unstubAllGlobals())

/** A lock that is free once its worker is gone. */
function locks() {
  const waiting = new Map<string, () => void>()
  const request = (name: string, then: () => void) =>
    new Promise<void>((resolve) => waiting.set(name, () => resolve(then())))
  return { request, free: (name: string) => waiting.get(name)?.() }
}

it('a worker for one answer is an error once it is no more, and its sign of life no answer', async () => {
  const { request, free } = locks()
  vi.stubGlobal('navigator', { locks: { request } })
  const target = Object.assign(new EventTarget(), { onerror: null as ((event: ErrorEvent) => void) | null })
  const worker = errorWhenGone(target as unknown as Worker)
  const answers: unknown[] = []
  const errors: string[] = []
  target.addEventListener('message', (event) => answers.push((event as MessageEvent).data))
  target.onerror = ({ message }) => errors.push(message)
  const say = (data: unknown) => worker.dispatchEvent(new MessageEvent('message', { data }))
  say({ type: 'alive', lock: 'its own' })
  say({ type: 'progress' })
  say(null)
  expect(answers).toEqual([{ type: 'progress' }, null])
  expect(errors).toEqual([])
  free('its own')
  expect(errors).toEqual(['its worker ended without a word.'])
})
