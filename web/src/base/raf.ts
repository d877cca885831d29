/**
 * One frame scheduler for the whole page: however many parts ask for a repaint, and however often, each callback runs once in the
 * next frame. "act" callbacks (clocks that change state) run before "paint" callbacks (which only draw), so a frame never shows
 * half a change.
 */
export type Phase = 'act' | 'paint'
/** now: milliseconds on the page's monotonic clock. */
export type FrameCallback = (now: number) => void

const queues: Record<Phase, Set<FrameCallback>> = { act: new Set(), paint: new Set() }
let handle = 0

function drain(phase: Phase, now: number): void {
  const batch = [...queues[phase]]
  queues[phase].clear()
  for (const callback of batch) {
    try {
      callback(now)
    } catch (error) {
      // One broken drawing must not stop the others, nor be swallowed.
      queueMicrotask(() => {
        throw error
      })
    }
  }
}

function tick(now: number): void {
  handle = 0
  drain('act', now)
  drain('paint', now)
}

/** Runs the callback in the next frame, once, even if asked again before. */
export function onFrame(phase: Phase, callback: FrameCallback): void {
  queues[phase].add(callback)
  if (handle === 0) handle = requestAnimationFrame(tick)
}

export function offFrame(phase: Phase, callback: FrameCallback): void {
  queues[phase].delete(callback)
}
