import { expect, it, vi } from 'vitest'
import { layOut } from '../../../web/src/layout/model/layered_client'
import type { Layered, LayeredInput } from '../../../web/src/layout/model/layered'

const input: LayeredInput = { width: [], height: 1, edges: [] }

function begun() {
  const worker = { onmessage: null, onerror: null, postMessage: vi.fn(), terminate: vi.fn() } as unknown as Worker
  const [done, failed] = [vi.fn(), vi.fn()]
  const leave = layOut(input, done, failed, () => worker)
  /** As errorWhenGone calls it, once the worker is no more. */
  const end = () => worker.onerror?.({ message: 'its worker ended without a word.' } as ErrorEvent)
  return { worker, done, failed, leave, end }
}

it('a layout whose worker dies over it has failed; one that is there, or is not wanted any more, has not', () => {
  const dead = begun()
  dead.end()
  expect(dead.failed).toHaveBeenCalledOnce()
  const there = begun()
  const layout = {} as Layered
  there.worker.onmessage?.({ data: layout } as MessageEvent)
  expect(there.worker.terminate).toHaveBeenCalledOnce()
  expect(there.done).toHaveBeenCalledExactlyOnceWith(layout)
  const left = begun()
  left.leave()
  expect(left.worker.terminate).toHaveBeenCalledOnce()
  for (const one of [there, left]) {
    one.end()
    expect(one.failed).not.toHaveBeenCalled()
  }
})
