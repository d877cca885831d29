/** Pins: the buffers whose outline and facts stay. */
import { adding, alsoPinned, otherPins } from '../../state/canvas/canvas'
import { workbench } from '../../state/workbench_cells'

function setOthers(value: readonly number[]): void {
  const problem = workbench.opened.get()?.problem
  otherPins.set(problem === undefined || value.length === 0 ? null : { problem, value })
}

/** A click pins one buffer or lets go of it; with `add` the others stay. On the ground (-1) all are let go of, unless adding. */
export function togglePin(buffer: number, add: boolean): void {
  if (!add && !adding.get()) {
    pinOnly(alsoPinned.get().length === 0 && workbench.pinned.get() === buffer ? -1 : buffer)
  } else if (buffer >= 0) {
    const others = alsoPinned.get()
    if (buffer === workbench.pinned.get() || others.includes(buffer)) unpin(buffer)
    else {
      const first = workbench.pinned.get()
      setOthers(first < 0 ? others : [...others, first])
      workbench.pinned.set(buffer)
    }
  }
}

/** Pins one buffer and lets go of all others. */
export function pinOnly(buffer: number): void {
  setOthers([])
  workbench.pinned.set(buffer)
}

export function unpin(buffer: number): void {
  const rest = alsoPinned.get().filter((other) => other !== buffer)
  if (buffer !== workbench.pinned.get()) {
    setOthers(rest)
    return
  }
  setOthers(rest.slice(0, -1))
  workbench.pinned.set(rest.at(-1) ?? -1)
}

export function clearPins(): void {
  adding.set(false)
  pinOnly(-1)
}
