/**
 * The page's state. A Cell holds one value; a derived value is computed from whatever it reads and remembered until that changes. A thin
 * coat over @preact/signals-core. Values are compared by identity: replace, never mutate.
 */
import { batch, computed, effect, type Signal, signal, untracked } from '@preact/signals-core'

/** Several changes as one: listeners hear of them at the end. */
export { batch }

export interface Readable<T> {
  get(): T
  /** Calls back after each change; returns the way out. */
  subscribe(listener: () => void): () => void
}

export interface Writable<T> extends Readable<T> {
  set(value: T): void
  update(change: (value: T) => T): void
}

/** Calls back after each change of what `read` reads, not at once; returns the way out. What the listener reads is not listened to. */
function whenChanged(read: () => unknown, listener: () => void): () => void {
  let begun = false
  return effect(() => {
    read()
    if (begun) untracked(listener)
    begun = true
  })
}

export class Cell<T> implements Writable<T> {
  private readonly held: Signal<T>

  constructor(value: T) {
    this.held = signal(value)
  }

  /** For whoever looks at the cells while the page runs. */
  set name(name: string) {
    this.held.name = name
  }

  get(): T {
    return this.held.value
  }

  set(value: T): void {
    this.held.value = value
  }

  update(change: (value: T) => T): void {
    this.held.value = change(this.held.peek())
  }

  subscribe(listener: () => void): () => void {
    return whenChanged(() => this.held.value, listener)
  }
}

/** What follows from cells: computed when asked for, at most once per change of what it read. Reads as many as it needs, and writes none. */
export function derived<T>(compute: () => T): Readable<T> {
  const held = computed(compute)
  return { get: () => held.value, subscribe: (listener) => whenChanged(() => held.value, listener) }
}

/** Stands for the cell that `pick` gives at the time: has its value, also when it becomes another one, and writes to it. */
export function following<T>(pick: () => Cell<T>): Writable<T> {
  const value = derived(() => pick().get())
  return { ...value, set: (next) => pick().set(next), update: (change) => pick().update(change) }
}
