/** While steps pass too fast to be told: what the last second of them came to. */
import { useEffect, useState } from 'preact/hooks'
import { thousands } from '../../base/format'
import { manifest } from '../../state/atoms'
import { minorRule } from '../../layout/step/fate'
import { type Passage, passageOf } from '../../state/search/passage'
import { cursor, overview } from '../../state/workbench'
import { Pill } from '../controls/pill'

const SECOND = 1000
/** Numbers change no more often than they can be read, in milliseconds. */
const EVERY = 500

function now(before: number[]): Passage | null {
  const [known, core] = [overview.get(), manifest.get()]
  const [from, to] = [before[0] ?? 0, cursor.get()]
  return known === null || core === null || to <= from ? null : passageOf(known, minorRule(core), from, to)
}

function words({ rejected, backtracks, low, high }: Passage): string {
  const level = low === high ? `at level ${thousands(low)}` : `between levels ${thousands(low)} and ${thousands(high)}`
  return `${thousands(rejected)} candidates rejected, ${thousands(backtracks)} times taken back, ${level}.`
}

export function Flying() {
  const [passage, setPassage] = useState<Passage | null>(null)
  useEffect(() => {
    const before = [cursor.get()]
    const timer = setInterval(() => {
      const found = now(before)
      before.push(cursor.get())
      if (before.length > SECOND / EVERY) before.shift()
      if (found !== null) setPassage(found)
    }, EVERY)
    return () => clearInterval(timer)
  }, [])
  return (
    <div class="tab-part">
      <div class="row chip-row">
        <Pill tone="plain" icon="play" text="Playing" />
        <span class="clip">the last second</span>
        <span class="spring" />
        {passage !== null && <span class="mono dim">to step {thousands(passage.to)}</span>}
      </div>
      <p class="prose">{passage === null ? 'Steps pass too fast to be told one by one.' : words(passage)}</p>
    </div>
  )
}
