/** A range of steps as a film: which steps are its frames, and their way through the browser's encoder into a file. */
import { type Chunk, type VideoTrack, webm } from './webm'

/** Frames a second at most: faster searches pass over steps. */
const RATE = 30
/** The last frame stays so long, in milliseconds. */
const HOLD = 1000
/** Five minutes: what is longer is not looked at, and takes longer to make. */
export const MOST_FRAMES = 300 * RATE
/** From one key frame to the next, in milliseconds: where a player can jump to. */
const KEY_EVERY = 5000

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

const CODECS = [
  ['vp09.00.40.08', 'V_VP9'],
  ['vp8', 'V_VP8'],
] as const

async function choose(width: number, height: number): Promise<[VideoEncoderConfig, VideoTrack]> {
  for (const [codec, id] of canFilm() ? CODECS : []) {
    const config: VideoEncoderConfig = {
      codec,
      width,
      height,
      framerate: RATE,
      bitrate: width * height * 4,
      latencyMode: 'quality',
    }
    const { supported } = await VideoEncoder.isConfigSupported(config)
    if (supported === true) return [config, { codec: id, width, height }]
  }
  throw new Error('This browser cannot encode a film. Chrome, Edge and Firefox can.')
}

export interface FilmMaking {
  /** of its final size; both sides even */
  canvas: HTMLCanvasElement
  plan: FilmPlan
  /** paints a step on the canvas */
  paint: (step: number) => Promise<void>
  progress: (done: number) => void
  signal: AbortSignal
}

/** Room in the encoder's queue: a slow one must not gather frames. */
async function room(encoder: VideoEncoder): Promise<void> {
  while (encoder.encodeQueueSize > 4)
    await new Promise<void>((resolve) => {
      encoder.addEventListener('dequeue', () => resolve(), { once: true })
    })
}

/** Rejects with the signal's reason if it is aborted. O(frames). */
export async function film({ canvas, plan, paint, progress, signal }: FilmMaking): Promise<Blob> {
  const [config, track] = await choose(canvas.width, canvas.height)
  const chunks: Chunk[] = []
  let failure: Error | null = null
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const data = new Uint8Array(chunk.byteLength)
      chunk.copyTo(data)
      chunks.push({ time: Math.round(chunk.timestamp / 1000), key: chunk.type === 'key', data })
    },
    error: (error) => {
      failure = error
    },
  })
  try {
    encoder.configure(config)
    let key = Number.NEGATIVE_INFINITY
    for (const [k, step] of plan.steps.entries()) {
      signal.throwIfAborted()
      await paint(step)
      await room(encoder)
      if (failure !== null) throw failure
      const time = Math.round(k * plan.each)
      const frame = new VideoFrame(canvas, { timestamp: time * 1000 })
      const keyFrame = time - key >= KEY_EVERY
      if (keyFrame) key = time
      encoder.encode(frame, { keyFrame })
      frame.close()
      progress(k + 1)
    }
    await encoder.flush()
    if (failure !== null) throw failure
  } finally {
    if (encoder.state !== 'closed') encoder.close()
  }
  return new Blob(webm(track, chunks, plan.duration), { type: 'video/webm' })
}
