import { useLayoutEffect, useReducer } from 'preact/hooks'
import type { Readable } from './cell'

/** Renders the component again whenever the value changes. */
export function useValue<T>(source: Readable<T>): T {
  const [, rerender] = useReducer<number, void>((n) => n + 1, 0)
  const shown = source.get()
  useLayoutEffect(() => {
    let last = shown
    const check = () => {
      const value = source.get()
      if (Object.is(value, last)) return
      last = value
      rerender()
    }
    check()
    return source.subscribe(check)
  }, [source])
  return shown
}
