/**
 * Parts of the page that its first view can do without. Each is fetched when it is first wanted, or before that while the browser is
 * idle, so that a click finds it there; not so for a reader who saves data. A fetch that failed is tried again when the part is wanted again.
 */
import { Cell } from './cell'

export type LaterState<T> = { kind: 'absent' } | { kind: 'coming' } | { kind: 'there'; part: T } | { kind: 'failed' }

/** The page itself could not be had in full; what was asked of it can be asked again. */
export class PartError extends Error {}

const LOST = 'A part of the page could not be fetched. Check the connection and try again; nothing is lost.'
const all: Later<unknown>[] = []
/** Parts may have parts of their own, which are fetched with them. */
let early = false

export class Later<T> {
  readonly arrival = new Cell<LaterState<T>>({ kind: 'absent' })
  private coming: Promise<T> | null = null

  /** unasked: nothing that the reader does asks for it; it adds to what is shown once it is there */
  constructor(
    private readonly fetch: () => Promise<T>,
    private readonly unasked: 'unasked' | null = null,
  ) {
    all.push(this)
    if (early && typeof window !== 'undefined') whenIdle(() => this.come())
  }

  /** Before it is wanted, unless data is to be saved and what wants it will ask. Whoever wants one that failed is told then, not now. */
  come(): void {
    if (this.unasked !== null || !savesData()) this.get().catch(() => {})
  }

  /** Rejects with a PartError whose message can be shown. */
  get(): Promise<T> {
    this.coming ??= this.load()
    return this.coming
  }

  private async load(): Promise<T> {
    this.arrival.set({ kind: 'coming' })
    try {
      const part = await this.fetch()
      this.arrival.set({ kind: 'there', part })
      return part
    } catch (error) {
      this.coming = null
      this.arrival.set({ kind: 'failed' })
      throw new PartError(LOST, { cause: error })
    }
  }
}

/** Whether the reader has asked the browser to fetch no more than is needed (Network Information API). */
export const savesData = (): boolean =>
  (globalThis.navigator as { connection?: { saveData?: boolean } } | undefined)?.connection?.saveData === true

/** All parts that are not there yet; where data is to be saved, those alone that nothing else would ask for. */
export function fetchLater(): void {
  early = true
  for (const part of all) part.come()
}

/** Calls back when the browser has nothing else to do, or after two seconds at the latest. */
export function whenIdle(callback: () => void): void {
  // Safari has no notion of idle
  if ('requestIdleCallback' in window) window.requestIdleCallback(callback, { timeout: 2000 })
  else setTimeout(callback, 300)
}
