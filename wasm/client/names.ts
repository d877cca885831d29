/** The ids of a problem: a million strings would weigh more than all the rest of it, so they are one text until some are asked for. */

/** Strings by index, what is unseen in them escaped; an array of strings is such a list. */
export interface Names extends Iterable<string> {
  readonly length: number
  /** undefined beyond the end */
  at(index: number): string | undefined
  slice(from?: number, to?: number): string[]
  indexOf(name: string): number
  includes(name: string): boolean
  keys(): Iterable<number>
  map<T>(of: (name: string, index: number) => T): T[]
}

/** Names that are decoded together. */
const GRAIN = 4096
/** A name may begin with what would be a byte order mark at the beginning of a file. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** What is not seen but changes what is: control characters, ends of lines, and those that turn the direction of what follows. */
const UNSEEN = /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu

/** A text from outside, fit to be shown, as the command shows it: \x1b, \u202e. */
export const seen = (text: string): string =>
  text.replace(UNSEEN, (c) => {
    const code = c.charCodeAt(0)
    return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
  })

/** UTF-8, each name with a NUL behind it. The fields, but not the methods, survive the way from a worker: see revived. */
export class PackedNames implements Names {
  constructor(
    readonly bytes: Uint8Array<ArrayBuffer>,
    /** where each begins, and the end */
    readonly start: Uint32Array<ArrayBuffer>,
  ) {}

  /** Of a text of which the names are those behind the first `skip`. */
  static of(bytes: Uint8Array<ArrayBuffer>, count: number, skip: number): PackedNames {
    const start = new Uint32Array(count + 1)
    let at = 0
    for (let k = 0; k < skip; k++) at = bytes.indexOf(0, at) + 1
    for (let k = 0; k < count; k++) {
      start[k] = at
      while (at < bytes.length && bytes[at] !== 0) at++
      at++
    }
    start[count] = at
    return new PackedNames(bytes, start)
  }

  get length(): number {
    return this.start.length - 1
  }

  at(index: number): string | undefined {
    return index >= 0 && index < this.length ? this.slice(index, index + 1)[0] : undefined
  }

  slice(from = 0, to = this.length): string[] {
    const end = Math.min(to, this.length)
    if (from >= end) return []
    const text = decoder.decode(this.bytes.subarray(this.start[from], (this.start[end] as number) - 1))
    const names = text.split('\0')
    return names.join('').search(UNSEEN) < 0 ? names : names.map(seen)
  }

  *[Symbol.iterator](): Iterator<string> {
    for (let from = 0; from < this.length; from += GRAIN) yield* this.slice(from, from + GRAIN)
  }

  indexOf(name: string): number {
    const wanted = new TextEncoder().encode(name)
    for (let k = 0; k < this.length; k++) if (this.is(k, wanted)) return k
    return /\\[xu]/.test(name) ? [...this].indexOf(name) : -1
  }

  private is(index: number, wanted: Uint8Array): boolean {
    const from = this.start[index] as number
    if ((this.start[index + 1] as number) - from - 1 !== wanted.length) return false
    // names often begin alike and end differently
    for (let k = wanted.length - 1; k >= 0; k--) if (this.bytes[from + k] !== wanted[k]) return false
    return true
  }

  includes(name: string): boolean {
    return this.indexOf(name) >= 0
  }

  keys(): Iterable<number> {
    return this.start.subarray(1).keys()
  }

  map<T>(of: (name: string, index: number) => T): T[] {
    let k = 0
    const made: T[] = []
    for (const name of this) made.push(of(name, k++))
    return made
  }
}

/** The names that a worker sent. */
export function revived(names: Names): Names {
  if (names instanceof PackedNames || Array.isArray(names)) return names
  const { bytes, start } = names as PackedNames
  return new PackedNames(bytes, start)
}
