/** Files that are compressed by gzip, as traces often are: read as what is inside. */

/** Of what is inside: a small file may swell to anything. */
export const MOST_UNPACKED = 2 ** 30

export const isGzip = (first: number | undefined, second: number | undefined): boolean =>
  first === 0x1f && second === 0x8b

/** Rejects where it is damaged or too large. */
export async function unpacked(file: Blob): Promise<Uint8Array> {
  let size = 0
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, out) {
      size += piece.length
      if (size > MOST_UNPACKED) out.error(new Error(`more than ${MOST_UNPACKED} bytes are inside.`))
      else out.enqueue(piece)
    },
  })
  const stream = file.stream().pipeThrough(new DecompressionStream('gzip')).pipeThrough(counted)
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
