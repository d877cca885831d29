/** A range of steps as a film: which steps are its frames, and their way into a file. */
import type { FilmFormat } from './film_file'

/** Frames a second at most: faster searches pass over steps. */
const RATE = 30
/** The last frame stays so long, in milliseconds. */
const HOLD = 1000
/** Five minutes: what is longer is not looked at, and takes longer to make. */
export const MOST_FRAMES = 300 * RATE

export interface FilmPlan {
  /** the steps that are shown, one a frame */
  steps: number[]
  /** milliseconds that each of them is shown */
  each: number
  /** in milliseconds */
  duration: number
}

/** From a step to another, both shown. speed: steps a second. null if there would be too many frames. */
export function filmPlan(from: number, to: number, speed: number): FilmPlan | null {
  const stride = Math.max(1, speed / RATE)
  const each = (1000 * stride) / speed
  const count = Math.ceil((to - from) / stride) + 1
  if (count > MOST_FRAMES) return null
  const steps = Array.from({ length: count }, (_, k) => Math.min(to, from + Math.round(k * stride)))
  return { steps, each, duration: Math.round(count * each) + HOLD }
}

export const canFilm = () => 'VideoEncoder' in window

export type { FilmFormat }

export interface FilmMaking {
  /** of its final size; both sides even */
  canvas: HTMLCanvasElement
  format: FilmFormat
  plan: FilmPlan
  /** paints a step on the canvas */
  paint: (step: number) => Promise<void>
  progress: (done: number) => void
  signal: AbortSignal
}

/** Rejects with the signal's reason if it is aborted. codec: as people call it. O(frames). */
export async function film(making: FilmMaking): Promise<{ file: Blob; codec: string }> {
  const { canvas, format, plan, paint, progress, signal } = making
  const { filmFile } = await import('./film_file')
  const made = await filmFile(canvas, format, RATE)
  try {
    for (const [k, step] of plan.steps.entries()) {
      signal.throwIfAborted()
      await paint(step)
      const last = k === plan.steps.length - 1
      const start = k * plan.each
      await made.add(start / 1000, (last ? plan.duration - start : plan.each) / 1000)
      progress(k + 1)
    }
    signal.throwIfAborted()
  } catch (error) {
    await made.cancel()
    throw error
  }
  return { file: await made.end(), codec: made.codec }
}
