/**
 * The page's state cells. An Atom holds one value, a Derived computes one from others and remembers it until one of them changes.
 * Values are compared by identity: replace, never mutate.
 */
export interface Readable<T> {
  get(): T
  /** Calls back after each change; returns the way out. */
  subscribe(listener: () => void): () => void
}

export class Atom<T> implements Readable<T> {
  private readonly listeners = new Set<() => void>()

  constructor(private value: T) {}

  get(): T {
    return this.value
  }

  set(value: T): void {
    if (Object.is(value, this.value)) return
    this.value = value
    for (const listener of [...this.listeners]) listener()
  }

  update(change: (value: T) => T): void {
    this.set(change(this.value))
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }
}

type Values<S extends readonly Readable<unknown>[]> = { [K in keyof S]: S[K] extends Readable<infer T> ? T : never }

export class Derived<const S extends readonly Readable<unknown>[], T> implements Readable<T> {
  private inputs: unknown[] | null = null
  private value: T | undefined

  constructor(
    private readonly sources: S,
    private readonly compute: (...values: Values<S>) => T,
  ) {}

  get(): T {
    const inputs = this.sources.map((source) => source.get())
    const last = this.inputs
    if (last === null || inputs.some((input, k) => !Object.is(input, last[k]))) {
      this.value = this.compute(...(inputs as Values<S>))
      this.inputs = inputs
    }
    return this.value as T
  }

  subscribe(listener: () => void): () => void {
    const exits = this.sources.map((source) => source.subscribe(listener))
    return () => {
      for (const exit of exits) exit()
    }
  }
}
