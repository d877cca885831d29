/** A lesson has the page for a while. What the reader had open is put aside, worker and all, and comes back as it was. */
import { Atom } from '../../base/atom'

interface Interlude {
  kept: Map<Atom<unknown>, unknown>
  /** gives the page back, at once */
  end: () => void
}

export const interlude = new Atom<Interlude | null>(null)

/** The reader's own value, whatever the page shows meanwhile. */
export function own<T>(atom: Atom<T>): T {
  const kept = interlude.get()?.kept
  return kept?.has(atom) ? (kept.get(atom) as T) : atom.get()
}

export function setOwn<T>(atom: Atom<T>, value: T): void {
  const kept = interlude.get()?.kept
  if (kept?.has(atom)) kept.set(atom, value)
  else atom.set(value)
}
