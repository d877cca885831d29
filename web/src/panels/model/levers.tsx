/** What can be done about the peak: each change with what it comes to, and a button that makes it. */
import { useEffect, useState } from 'preact/hooks'
import { bytesIn, exactBytes } from '../../base/format'
import { useValue } from '../../base/use_value'
import { openModel } from '../../run/model/open_model'
import { findLevers } from '../../run/model/levers'
import { pull } from '../../run/model/models'
import { runJobs } from '../../run/compare/jobs'
import { manifest } from '../../state/atoms'
import { type Lever, levers, setLevers } from '../../state/model/levers'
import { KNOWN_WORDS, type KnownHeight } from '../../state/solver/known_height'
import { capacity, decides, opened, solverInfo, takesBuffers, unit } from '../../state/workbench'
import { UndoButtons } from '../edit/undo'
import { Pill } from '../controls/pill'
import { useActions } from '../page/context'

/** Milliseconds: while the slider is dragged nothing is begun. */
const SETTLED = 250

/** Works them out as long as they are wanted and shown, whenever what is open or its capacity has changed. */
function useLevers(wanted: boolean) {
  const now = useValue(opened)
  const limit = useValue(capacity)
  const known = useValue(manifest)
  const held = useValue(levers)
  const [wrong, setWrong] = useState('')
  const current = held !== null && held.of === now && held.capacity === limit ? held : null
  const done = current?.found != null
  useEffect(() => {
    const open = openModel()
    if (!wanted || done || open === null || known === null) return
    const end = new AbortController()
    const look = () => {
      setLevers({ of: open.opened, capacity: limit, base: null, found: null, left: '' })
      setWrong('')
      runJobs(
        [open],
        (client, job) => findLevers(client, job, limit, end.signal),
        (_, found) => setLevers({ of: open.opened, capacity: limit, ...found }),
        { workers: 1, signal: end.signal },
      ).catch((error: unknown) => setWrong(error instanceof Error ? error.message : String(error)))
    }
    const timer = setTimeout(look, SETTLED)
    return () => {
      clearTimeout(timer)
      end.abort()
    }
  }, [now, limit, known, wanted])
  return { now: current, wrong }
}

function Row({ lever, base, limit }: { lever: Lever; base: KnownHeight; limit: number }) {
  const actions = useActions()
  const amounts = useValue(unit)
  const { title, note, peak, change } = lever
  const over = peak.bytes - limit
  const [word, help] = KNOWN_WORDS[peak.known]
  const fits = over <= 0 && peak.known !== 'least'
  return (
    <li class="lever">
      <span class="lever-title" title={title}>
        {title}
        <span class="hint">{note}</span>
      </span>
      <span class="lever-gain mono" title={exactBytes(base.bytes - peak.bytes)}>
        −{bytesIn(base.bytes - peak.bytes, amounts)}
        <span class="hint" title={`${exactBytes(peak.bytes)}, ${help}`}>
          {word}
          {bytesIn(peak.bytes, amounts)}
        </span>
      </span>
      <span class="lever-end">
        {fits ? (
          <Pill tone="ok" icon="tick" text="fits" />
        ) : (
          <span class="hint" title={exactBytes(over)}>
            {bytesIn(Math.max(0, over), amounts)} over
          </span>
        )}
        <button type="button" class="button" aria-label={`Apply: ${title}`} onClick={() => void pull(actions, change)}>
          Apply
        </button>
      </span>
    </li>
  )
}

/** missing: the load does not fit, and so they are looked for without being asked. */
export function Levers({ missing }: { missing: boolean }) {
  const [asked, ask] = useState(false)
  const limit = useValue(capacity)
  const amounts = useValue(unit)
  const { now, wrong } = useLevers(missing || asked)
  const chosen = useValue(solverInfo)
  const problem = useValue(opened)?.problem ?? null
  const base = now?.base ?? null
  return (
    <section class="tab-part" aria-labelledby="levers-head">
      <header class="section-head">
        <h2 id="levers-head">What can be done</h2>
        <span class="undo">
          <UndoButtons />
        </span>
      </header>
      {wrong !== '' && (
        <p class="why" role="alert">
          {wrong}
        </p>
      )}
      {!missing && !asked && (
        <div class="row">
          <button type="button" class="button" onClick={() => ask(true)}>
            What would lower the peak?
          </button>
        </div>
      )}
      {(missing || asked) && now?.found == null && wrong === '' && (
        <p class="hint" role="status">
          In place, another order, smaller, in parts: each is being solved…
        </p>
      )}
      {base !== null && now?.found != null && (
        <>
          <p class="hint">
            {now.found.length === 0 ? 'Nothing that was tried lowers the peak of ' : 'Instead of '}
            {KNOWN_WORDS[base.known][0]}
            <span class="mono" title={`${exactBytes(base.bytes)}, ${KNOWN_WORDS[base.known][1]}`}>
              {bytesIn(base.bytes, amounts)}
            </span>
            {base.known === 'proven' && ', the proven least of this order'}.{' '}
            {now.found.length > 0 &&
              chosen !== null &&
              takesBuffers(chosen) &&
              !decides(chosen, problem) &&
              `Found by the exact solver: ${chosen.title} may need more. `}
            {now.left}
          </p>
          <ul class="levers">
            {now.found.map((lever) => (
              <Row key={lever.id} lever={lever} base={base} limit={limit} />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
