/** The pictures of a canvas as a film file: the browser's encoder, and mediabunny's muxers around it. A part of its own: only who makes a film waits for it. */
import {
  BufferTarget,
  CanvasSource,
  getFirstEncodableVideoCodec,
  Mp4OutputFormat,
  Output,
  Quality,
  type VideoCodec,
  WebMOutputFormat,
} from 'mediabunny'

export type FilmFormat = 'webm' | 'mp4'

/** What plays most widely first: H.264 is what slides and phones take; where a browser cannot make it, MP4 has what it can. */
const CODECS: Record<FilmFormat, VideoCodec[]> = { webm: ['vp9', 'vp8', 'av1'], mp4: ['avc', 'hevc', 'av1', 'vp9'] }
const NAMES: Partial<Record<VideoCodec, string>> = { vp9: 'VP9', vp8: 'VP8', av1: 'AV1', avc: 'H.264', hevc: 'H.265' }
const FORMATS = {
  webm: () => new WebMOutputFormat(),
  // the index in front: a film on a web page begins before all of it is there
  mp4: () => new Mp4OutputFormat({ fastStart: 'in-memory' }),
}
/** From one key frame to the next, in seconds: where a player can jump to. */
const KEY_EVERY = 5

export interface FilmFile {
  /** how its pictures are encoded, as people call it */
  codec: string
  /** The canvas as it is now, from start for so long, in seconds. Resolves when there is room for the next. */
  add(start: number, length: number): Promise<void>
  end(): Promise<Blob>
  /** what was made so far is given up */
  cancel(): Promise<void>
}

/** canvas: of its final size, both sides even. rate: pictures a second at most. Rejects where the browser has no encoder for it. */
export async function filmFile(canvas: HTMLCanvasElement, format: FilmFormat, rate: number): Promise<FilmFile> {
  const { width, height } = canvas
  const quality = new Quality({ bitrate: width * height * 4 })
  const codec = await getFirstEncodableVideoCodec(CODECS[format], { width, height, quality, frameRate: rate })
  if (codec === null) throw new Error('This browser cannot encode such a film. Chrome, Edge and Firefox can.')
  const target = new BufferTarget()
  const output = new Output({ format: FORMATS[format](), target })
  const source = new CanvasSource(canvas, { codec, quality, keyFrameInterval: KEY_EVERY, latencyMode: 'quality' })
  output.addVideoTrack(source, { frameRate: rate })
  await output.start()
  return {
    codec: NAMES[codec] ?? codec,
    add: (start, length) => source.add(start, length),
    async end() {
      await output.finalize()
      return new Blob([target.buffer ?? new ArrayBuffer(0)], { type: `video/${format}` })
    },
    cancel: () => output.cancel(),
  }
}
