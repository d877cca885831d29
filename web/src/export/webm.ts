/**
 * Frames of one video track in a WebM file (a Matroska document as webmproject.org/docs/container restricts it): the head, the track, an
 * index by key frame, and clusters that begin at key frames.
 */
export interface Chunk {
  /** milliseconds from the start, rising */
  time: number
  key: boolean
  data: Uint8Array<ArrayBuffer>
}

export interface VideoTrack {
  codec: 'V_VP8' | 'V_VP9'
  width: number
  height: number
}

type Part = Uint8Array<ArrayBuffer>

const text = (words: string) => new TextEncoder().encode(words)

/** A whole number, big end first, in as many bytes as asked or needed. */
function whole(value: number, bytes = 0): Part {
  const digits: number[] = []
  for (let rest = value; rest > 0 || digits.length < Math.max(1, bytes); rest = Math.floor(rest / 256))
    digits.unshift(rest % 256)
  return Uint8Array.from(digits)
}

function real(value: number): Part {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setFloat64(0, value)
  return bytes
}

const length = (parts: readonly Part[]) => parts.reduce((sum, part) => sum + part.length, 0)

/** The length of what follows: its first byte says by its leading zeros how many bytes it has. */
function sizeOf(value: number): Part {
  let bytes = 1
  while (value >= 2 ** (7 * bytes) - 1) bytes++
  const made = whole(value, bytes)
  made[0] = (made[0] ?? 0) | (1 << (8 - bytes))
  return made
}

/** id: as it is written, with its marker. */
function element(id: number, ...content: readonly Part[]): Part[] {
  return [whole(id), sizeOf(length(content)), ...content]
}

const TRACK = 1
/** Nanoseconds of a unit of time. */
const TIME_SCALE = 1_000_000
/** Times within a cluster are signed 16-bit numbers. */
const CLUSTER_MS = 32_000

function head(): Part[] {
  return element(
    0x1a45dfa3,
    ...element(0x4286, whole(1)),
    ...element(0x42f7, whole(1)),
    ...element(0x42f2, whole(4)),
    ...element(0x42f3, whole(8)),
    ...element(0x4282, text('webm')),
    ...element(0x4287, whole(4)),
    ...element(0x4285, whole(2)),
  )
}

function info(duration: number): Part[] {
  return element(
    0x1549a966,
    ...element(0x2ad7b1, whole(TIME_SCALE)),
    ...element(0x4489, real(duration)),
    ...element(0x4d80, text('Arenascope')),
    ...element(0x5741, text('Arenascope')),
  )
}

function tracks({ codec, width, height }: VideoTrack): Part[] {
  const video = element(0xe0, ...element(0xb0, whole(width)), ...element(0xba, whole(height)))
  return element(
    0x1654ae6b,
    ...element(
      0xae,
      ...element(0xd7, whole(TRACK)),
      ...element(0x73c5, whole(TRACK)),
      ...element(0x9c, whole(0)),
      ...element(0x83, whole(1)),
      ...element(0x86, text(codec)),
      ...video,
    ),
  )
}

/** Chunks between two key frames, cut where their times would no longer fit. */
function clustersOf(chunks: readonly Chunk[]): Chunk[][] {
  const clusters: Chunk[][] = []
  for (const chunk of chunks) {
    const now = clusters.at(-1)
    if (now === undefined || chunk.key || chunk.time - (now[0]?.time ?? 0) >= CLUSTER_MS) clusters.push([chunk])
    else now.push(chunk)
  }
  return clusters
}

function cluster(chunks: readonly Chunk[]): Part[] {
  const start = chunks[0]?.time ?? 0
  const blocks = chunks.flatMap(({ time, key, data }) =>
    element(0xa3, Uint8Array.from([0x80 | TRACK, (time - start) >> 8, (time - start) & 255, key ? 0x80 : 0]), data),
  )
  return element(0x1f43b675, ...element(0xe7, whole(start)), ...blocks)
}

/** at: of each cluster, bytes from the start of the segment's contents. */
function cues(clusters: readonly Chunk[][], at: readonly number[]): Part[] {
  const points = clusters.flatMap((chunks, k) =>
    element(
      0xbb,
      ...element(0xb3, whole(chunks[0]?.time ?? 0)),
      ...element(0xb7, ...element(0xf7, whole(TRACK)), ...element(0xf1, whole(at[k] ?? 0, 8))),
    ),
  )
  return element(0x1c53bb6b, ...points)
}

/** duration: milliseconds, to the end of the last frame. The first chunk must be a key frame. */
export function webm(track: VideoTrack, chunks: readonly Chunk[], duration: number): Part[] {
  const clusters = clustersOf(chunks)
  const bodies = clusters.map(cluster)
  const front = [...info(duration), ...tracks(track)]
  // the index has the same length whatever is in it
  let next = length(front) + length(cues(clusters, []))
  const at = bodies.map((body) => {
    const here = next
    next += length(body)
    return here
  })
  return [...head(), ...element(0x18538067, ...front, ...cues(clusters, at), ...bodies.flat())]
}
