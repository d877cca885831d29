/**
 * What is kept in the browser by entry, each under a key of its own. A page writes the entries that it has changed since it read or wrote
 * them, and no other: of two pages that are open, the older never takes back what the newer has kept.
 */
import type { Box } from './box'

export class Ledger {
  /** as this page last read or wrote them */
  private known = new Map<string, string>()

  /** prefix: of the keys of all entries, and of nothing else in the box. */
  constructor(
    private readonly box: Box,
    private readonly prefix: string,
  ) {}

  /** The entry that a key of the box is; null: it is none of these. */
  entry(key: string): string | null {
    return key.startsWith(this.prefix) ? key.slice(this.prefix.length) : null
  }

  /** All that is kept now, whoever wrote it; nothing of a box that refuses. */
  read(): Map<string, string> {
    const all = new Map<string, string>()
    try {
      for (let k = 0; k < this.box.length; k++) {
        const key = this.box.key(k) ?? ''
        const entry = this.entry(key)
        const value = this.box.getItem(key)
        if (entry !== null && value !== null) all.set(entry, value)
      }
    } catch {
      // as if there were nothing
    }
    return all
  }

  /**
   * From now on the page knows these of what was read. An entry that it could not take (of another version, or one too many) is not among what it has
   * now: the page will not touch it.
   */
  learn(read: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>, of: (entry: string) => boolean): void {
    for (const entry of [...this.known.keys()]) if (of(entry)) this.known.delete(entry)
    for (const [entry, value] of read) if (of(entry) && now.has(entry)) this.known.set(entry, value)
  }

  /** Writes what has changed, and takes out what is no longer there; `left` stays as it is. Returns what the box refused: it is tried again with the next change. */
  write(now: ReadonlyMap<string, string>, left = ''): { entry: string; error: unknown }[] {
    const refused: { entry: string; error: unknown }[] = []
    const attempt = (entry: string, work: () => void) => {
      try {
        work()
      } catch (error) {
        refused.push({ entry, error })
      }
    }
    // first, for it makes room
    for (const entry of [...this.known.keys()])
      if (!now.has(entry) && entry !== left)
        attempt(entry, () => {
          this.box.removeItem(this.prefix + entry)
          this.known.delete(entry)
        })
    for (const [entry, value] of now)
      if (this.known.get(entry) !== value && entry !== left)
        attempt(entry, () => {
          this.box.setItem(this.prefix + entry, value)
          this.known.set(entry, value)
        })
    return refused
  }
}

/** JSON of any kind; undefined where it is none. */
export function parsed(json: string | null | undefined): unknown {
  try {
    return JSON.parse(json ?? 'null')
  } catch {
    return undefined
  }
}
