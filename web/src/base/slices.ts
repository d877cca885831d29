/** Long work on the page's own thread, a few milliseconds at a time, so that nothing else has to wait. */

/** A slice ends after so many milliseconds. */
const SLICE_MS = 8

/** Lets everything that waits have its turn. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}

/** Awaited between pieces of work: lets others have their turn once a slice is over. False: nobody wants the rest. */
export type Pause = () => Promise<boolean>

export const ALWAYS = (): boolean => true

/** wanted: still worth going on with. What is done within the first slice does not pause at all. */
export function pausesWhile(wanted: () => boolean): Pause {
  let until = performance.now() + SLICE_MS
  return async () => {
    if (performance.now() < until) return true
    await nextTurn()
    until = performance.now() + SLICE_MS
    return wanted()
  }
}

/** Work that yields wherever it can be interrupted, and returns what it comes to. */
export type Work<T> = Generator<undefined, T>

export function atOnce<T>(work: Work<T>): T {
  let step = work.next()
  while (!step.done) step = work.next()
  return step.value
}

/** null: it was given up. */
export async function inSlices<T>(work: Work<T>, pause: Pause): Promise<T | null> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value
    if (!(await pause())) return null
  }
}

/** Numbers that are copied at once. */
const COPIED = 2 ** 15

/** A copy, to be given away. null: it was given up. */
export async function copyInSlices(numbers: Float64Array, pause: Pause): Promise<Float64Array<ArrayBuffer> | null> {
  const copy = new Float64Array(numbers.length)
  for (let from = 0; from < numbers.length; from += COPIED) {
    copy.set(numbers.subarray(from, from + COPIED), from)
    if (!(await pause())) return null
  }
  return copy
}

/** Values that are sorted at once; larger ones are merged from such runs. */
const RUN = 2048

/** Sorts in place, stably. False if it was given up; the list is then in no order. O(n log n), O(n) where most is in order already. */
export async function sortInSlices(
  list: Uint32Array,
  compare: (x: number, y: number) => number,
  pause: Pause,
): Promise<boolean> {
  const { length } = list
  for (let from = 0; from < length; from += RUN) {
    list.subarray(from, from + RUN).sort(compare)
    if (!(await pause())) return false
  }
  const spare = new Uint32Array(length)
  for (let width = RUN; width < length; width *= 2) {
    for (let from = 0; from + width < length; from += 2 * width) {
      if (!(await merge(list, spare, from, from + width, Math.min(length, from + 2 * width), compare, pause)))
        return false
    }
  }
  return true
}

/** Merges list[from, middle) and list[middle, end), both sorted. */
async function merge(
  list: Uint32Array,
  spare: Uint32Array,
  from: number,
  middle: number,
  end: number,
  compare: (x: number, y: number) => number,
  pause: Pause,
): Promise<boolean> {
  if (compare(list[middle - 1] as number, list[middle] as number) <= 0) return true
  spare.set(list.subarray(from, middle), from)
  let left = from
  let right = middle
  for (let at = from; left < middle; at++) {
    if (at % RUN === 0 && !(await pause())) return false
    const ahead = right < end && compare(spare[left] as number, list[right] as number) > 0
    list[at] = (ahead ? list[right++] : spare[left++]) as number
  }
  return true
}
