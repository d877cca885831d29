/** What the core takes for an id (core/src/io/README.md). */
const MOST_BYTES = 255

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The longest beginning of the text that takes at most so many bytes and ends with a whole character. */
function cut(text: string, most: number): string {
  const bytes = encoder.encode(text)
  let end = Math.min(most, bytes.length)
  // a byte 10xxxxxx goes on with the character before it
  while (end < bytes.length && end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return decoder.decode(bytes.subarray(0, end))
}

/** Nearly all names: nothing to cut or replace. */
const PLAIN = /^[ -~]{0,255}$/

/** The text as far as it may stand in an id: control characters would break the lines of every text format. */
export function plainName(text: string): string {
  if (PLAIN.test(text)) return text
  return cut(text.replace(/\p{Cc}/gu, ' '), MOST_BYTES)
}

/**
 * Makes the names of a file into ids: none empty, none twice, none longer than the core takes, no control characters. A name that is
 * free and fit stays as it is; another gets ~2, ~3, … after as much of it as there is room for.
 */
export class Names {
  readonly #taken = new Set<string>()
  readonly #next = new Map<string, number>()

  /** instead: the name of what has none. */
  take(wanted: string, instead: string): string {
    const long = wanted === '' ? instead : wanted
    const whole = plainName(long)
    if (whole.length === long.length && !this.#taken.has(whole)) return this.#keep(whole)
    const stem = cut(whole, MOST_BYTES - 9)
    for (let number = this.#next.get(stem) ?? 2; ; number++) {
      const id = `${stem}~${number}`
      if (this.#taken.has(id)) continue
      this.#next.set(stem, number + 1)
      return this.#keep(id)
    }
  }

  #keep(id: string): string {
    this.#taken.add(id)
    return id
  }
}
