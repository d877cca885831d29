/** Files that are compressed by gzip, as traces often are: read as what is inside. */

/** Of a member, in bytes: its header and the sums at its end. */
const LEAST = 18
/** Of what is inside: a small file may swell to anything. */
export const MOST_UNPACKED = 2 ** 30

export const isGzip = (first: number | undefined, second: number | undefined): boolean =>
  first === 0x1f && second === 0x8b

/** Where a member begins behind the first (RFC 1952, section 2.3.1): deflate, no reserved flag, one of the known extra flags. */
function membersIn(bytes: Uint8Array): number[] {
  const starts: number[] = []
  for (let at = bytes.indexOf(0x1f, LEAST); at >= 0; at = bytes.indexOf(0x1f, at + 1)) {
    const [, second, method, flags = 0xff, , , , , extra = 0xff] = bytes.subarray(at, at + 9)
    if (isGzip(0x1f, second) && method === 8 && flags < 0x20 && (extra === 0 || extra === 2 || extra === 4))
      starts.push(at)
  }
  return starts
}

/** Also of several members one behind another, as bgzip and cat make them. Rejects where it is damaged or too large. */
export async function unpacked(file: Blob): Promise<Uint8Array> {
  try {
    return await member(file, MOST_UNPACKED)
  } catch (error) {
    // DecompressionStream refuses what follows the first member
    const starts = membersIn(new Uint8Array(await file.arrayBuffer()))
    if (starts.length === 0) throw error
    const pieces: Uint8Array<ArrayBuffer>[] = []
    let left = MOST_UNPACKED
    for (const [k, start] of [0, ...starts].entries()) {
      const piece = await member(file.slice(start, starts[k]), left)
      pieces.push(piece)
      left -= piece.length
    }
    return new Uint8Array(await new Blob(pieces).arrayBuffer())
  }
}

/** most: of the bytes inside. */
async function member(file: Blob, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  const kept = new WritableStream<Uint8Array<ArrayBuffer>>({
    write(piece) {
      size += piece.length
      if (size > most) throw new Error(`more than ${MOST_UNPACKED} bytes are inside.`)
      pieces.push(piece)
    },
  })
  // a Response would put “Failed to fetch” in the place of what went wrong
  await file.stream().pipeThrough(new DecompressionStream('gzip')).pipeTo(kept)
  return new Uint8Array(await new Blob(pieces).arrayBuffer())
}
