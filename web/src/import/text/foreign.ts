/** Files that are something else than what was meant, by how they begin. */
import type { Source } from '../source'

const HEAD = 512

function begins(head: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, at) => head[at] === byte)
}

/** Why such a file cannot be read, and what to do; null: it is none of these. */
export function foreign(source: Source): string | null {
  const head = source.read(0, Math.min(HEAD, source.size))
  const text = String.fromCharCode(...head)
  if (text.startsWith('version https://git-lfs.github.com/spec/'))
    return 'this is a pointer of Git LFS, not the file itself: “git lfs pull” fetches it.'
  if (/^\s*(<!doctype html|<html|<\?xml[^>]*>\s*<!doctype html)/i.test(text.replace(/^\u00ef\u00bb\u00bf/, '')))
    return 'this is a web page, not a model: download the file itself.'
  if (begins(head, [0x50, 0x4b, 0x03, 0x04]) || begins(head, [0x50, 0x4b, 0x05, 0x06]))
    return 'this is a zip archive (as a .task bundle, a .keras or a .pt file is): unpack it and open the .tflite or .onnx inside.'
  if (begins(head, [0x1f, 0x8b])) return 'this is compressed by gzip: unpack it first.'
  return null
}
