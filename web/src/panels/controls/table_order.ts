/** The order of a table: at once where it is short, else a few milliseconds at a time while the last order stays. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Frame, Problem } from '../../../../wasm/client/types'
import { pausesWhile, sortInSlices } from '../../base/slices'
import { comparatorOf, type Order, unordered } from '../../state/canvas/buffer_order'

/** Up to so many rows are sorted within a frame. */
const AT_ONCE = 20_000

interface Arranged {
  problem: Problem
  found: Uint32Array | null
  list: Uint32Array
}

/** found: the buffers to show, null: all. busy: another order is on its way. */
export function useArranged(
  problem: Problem | null,
  shown: Frame | null,
  order: Order,
  found: Uint32Array | null,
): { list: Uint32Array; busy: boolean } {
  const [done, setDone] = useState<Arranged | null>(null)
  const [busy, setBusy] = useState(false)
  const turn = useRef(0)
  const count = problem === null ? 0 : (found?.length ?? problem.count)
  const short = count <= AT_ONCE
  const quick = useMemo(() => {
    if (problem === null || !short) return null
    return unordered(problem, found).sort(comparatorOf(problem, shown, order))
  }, [problem, shown, order, found])
  const rough = useMemo(() => (problem === null || short ? null : unordered(problem, found)), [problem, found])
  useEffect(() => {
    turn.current += 1
    const mine = turn.current
    if (problem === null || short) {
      setDone(null)
      setBusy(false)
      return
    }
    const list = unordered(problem, found)
    const wanted = () => mine === turn.current
    setBusy(true)
    void sortInSlices(list, comparatorOf(problem, shown, order), pausesWhile(wanted)).then((sorted) => {
      if (!sorted || !wanted()) return
      setDone({ problem, found, list })
      setBusy(false)
    })
  }, [problem, shown, order, found])
  useEffect(
    () => () => {
      turn.current += 1
    },
    [],
  )
  if (quick !== null) return { list: quick, busy: false }
  const kept = done !== null && done.problem === problem && done.found === found ? done.list : rough
  return { list: kept ?? NOTHING, busy }
}

const NOTHING = new Uint32Array(0)
