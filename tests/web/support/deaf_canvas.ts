/** A canvas that takes every call and draws nothing, for parts that cannot be there without one. */
import { afterAll, beforeAll, vi } from 'vitest'

const deaf: object = new Proxy(() => {}, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => 0 : name === 'measureText' ? () => ({ width: 0 }) : deaf),
  apply: () => deaf,
  set: () => true,
})

/** For all tests of a file. */
export function deafCanvas(): void {
  beforeAll(() => {
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(deaf as never)
  })
  afterAll(() => vi.restoreAllMocks())
}
