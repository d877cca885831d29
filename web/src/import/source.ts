/**
 * Where an importer reads from: any part of a file, in any order. A model of half a gigabyte is mostly weights, which nobody here reads,
 * so it is never held whole.
 */
export interface Source {
  /** bytes, at most 2^53 - 1 */
  readonly size: number
  /**
   * The bytes from the first to before from + length, which must lie inside the file: anything else is a defect of the caller and throws
   * RangeError. What comes back may be a view of a window that later reads reuse or drop, but never change.
   */
  read(from: number, length: number): Uint8Array
}

/** The bytes of a file from somewhere else, one piece at a time. */
export type Fetch = (from: number, length: number) => Uint8Array

/** A file of up to this size is fetched at once: its tables lie all over it. */
const WHOLE = 1 << 24
const WINDOW = 1 << 18
const WINDOWS = 64

function check(source: Source, from: number, length: number): void {
  if (!(from >= 0 && length >= 0 && from + length <= source.size))
    throw new RangeError(`bytes ${from} to ${from + length} of a file of ${source.size}`)
}

export function fromBytes(bytes: Uint8Array): Source {
  const source: Source = {
    size: bytes.length,
    read(from, length) {
      check(source, from, length)
      return bytes.subarray(from, from + length)
    },
  }
  return source
}

/** A file that lies in another. */
export function fromPart(whole: Source, start: number, size: number): Source {
  const source: Source = {
    size,
    read(from, length) {
      check(source, from, length)
      return whole.read(start + from, length)
    },
  }
  return source
}

/**
 * Keeps the few windows used last, because readers take a few bytes at a time from a few places at once: a table, its description, the
 * list that both are in. What is longer than a window is fetched as it is asked for.
 */
export function fromFetch(size: number, fetch: Fetch): Source {
  if (size <= WHOLE) return fromBytes(fetch(0, size))
  // a Map iterates in the order of insertion: the first key is the window unused for longest
  const windows = new Map<number, Uint8Array>()
  const window = (index: number): Uint8Array => {
    const kept = windows.get(index) ?? fetch(index * WINDOW, Math.min(WINDOW, size - index * WINDOW))
    windows.delete(index)
    windows.set(index, kept)
    for (const oldest of windows.keys()) {
      if (windows.size <= WINDOWS) break
      windows.delete(oldest)
    }
    return kept
  }
  const source: Source = {
    size,
    read(from, length) {
      check(source, from, length)
      const index = Math.floor(from / WINDOW)
      const start = from - index * WINDOW
      if (start + length <= WINDOW && length > 0) return window(index).subarray(start, start + length)
      return length === 0 ? new Uint8Array(0) : fetch(from, length)
    },
  }
  return source
}
