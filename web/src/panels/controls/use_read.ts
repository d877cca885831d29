/** Values that are read as words or rows: while many steps fly by in a second, they change no more often than anybody could read. */
import { useLayoutEffect, useReducer } from 'preact/hooks'
import { type Readable, derived } from '../../base/cell'
import { playing, speed } from '../../state/atoms'

/** Steps per second up to which each of them is told. */
const TOLD_SPEED = 20
/** Between two of them beyond that, in milliseconds. */
const PACE = 100

/** Steps pass faster than any could be told. */
export const flying = derived(() => playing.get() && speed.get() > TOLD_SPEED)

/** As useValue, at that pace; once playing stops, what is shown is told at once. */
export function useRead<T>(source: Readable<T>): T {
  const [, rerender] = useReducer<number, void>((n) => n + 1, 0)
  const shown = source.get()
  useLayoutEffect(() => {
    let last = shown
    let timer: ReturnType<typeof setTimeout> | undefined
    const tell = () => {
      timer = undefined
      const value = source.get()
      if (Object.is(value, last)) return
      last = value
      rerender()
    }
    const check = () => {
      if (flying.get()) timer ??= setTimeout(tell, PACE)
      else {
        clearTimeout(timer)
        tell()
      }
    }
    tell()
    const leave = [source.subscribe(check), flying.subscribe(check)]
    return () => {
      clearTimeout(timer)
      for (const end of leave) end()
    }
  }, [source])
  return shown
}
