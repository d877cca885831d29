/** How much room a part has, for what is drawn to measure. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { offFrame, onFrame } from './raf'

export interface Size {
  width: number
  height: number
}

/** host: of the box; its size inside of borders, in CSS pixels, 0 × 0 before it is there. */
export function useSize() {
  const host = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const box = host.current
    if (box === null) return
    const measure = () =>
      setSize((before) => {
        const { clientWidth: width, clientHeight: height } = box
        return width === before.width && height === before.height ? before : { width, height }
      })
    measure()
    // in the next frame: what is drawn anew may give other boxes, or this one, another size, and the browser tells nobody of it in the same one
    const watch = new ResizeObserver(() => onFrame('act', measure))
    watch.observe(box)
    return () => {
      watch.disconnect()
      offFrame('act', measure)
    }
  }, [])
  return { host, size }
}
