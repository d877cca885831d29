/** How much room a part has, for what is drawn to measure. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { offFrame, onFrame } from './raf'

export interface Size {
  width: number
  height: number
}

/**
 * Calls back once the box has another size, and when it is first watched, in the next frame: what is drawn anew may give watched boxes another size,
 * and one that changes too late in a frame is an error. What is returned ends it.
 */
export function watchSize(box: Element, changed: () => void): () => void {
  const watch = new ResizeObserver(() => onFrame('act', changed))
  watch.observe(box)
  return () => {
    watch.disconnect()
    offFrame('act', changed)
  }
}

/** read: what of the box the part depends on; 0 where it does not. */
function useMeasured(read: (box: HTMLElement) => Size) {
  const host = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const box = host.current
    if (box === null) return
    const measure = () =>
      setSize((before) => {
        const now = read(box)
        return now.width === before.width && now.height === before.height ? before : now
      })
    measure()
    return watchSize(box, measure)
  }, [])
  return { host, size }
}

const sizeOf = ({ clientWidth, clientHeight }: HTMLElement): Size => ({ width: clientWidth, height: clientHeight })
const widthOf = ({ clientWidth }: HTMLElement): Size => ({ width: clientWidth, height: 0 })

/** host: of the box; its size inside of borders, in CSS pixels, 0 × 0 before it is there. */
export const useSize = () => useMeasured(sizeOf)

/** Of a box that is as high as what is drawn in it. */
export function useWidth() {
  const { host, size } = useMeasured(widthOf)
  return { host, width: size.width }
}
