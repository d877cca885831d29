/** The paper's integer linear program, solved here by another solver: what it finds, and whether it agrees with ours. */
import { useEffect, useState } from 'preact/hooks'
import type { ProgramModel } from '../../../../wasm/client/types'
import { useValue } from '../../base/use_value'
import { startProgram, stopProgram } from '../../run/model/program'
import {
  bracketWords,
  endWords,
  program,
  PROGRAMS,
  type ProgramState,
  sizeWords,
  verdictOf,
} from '../../state/model/program'
import { unit } from '../../state/workbench'

/** Since it began: its own clock is told now and then only. */
function Elapsed() {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const began = performance.now()
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - began) / 1000)), 1000)
    return () => clearInterval(timer)
  }, [])
  return <span class="mono">{seconds} s</span>
}

function Told({ now }: { now: ProgramState }) {
  const amounts = useValue(unit)
  if (now.kind === 'writing') return <p class="hint">Writing it down, and solving it our way…</p>
  if (now.kind === 'refused') return <p class="why">{now.why}</p>
  if (now.kind === 'solving')
    return (
      <>
        <p>
          HiGHS at work, <Elapsed />: {bracketWords(now, amounts)}
        </p>
        {now.size !== null && <p class="hint">{sizeWords(now.size)}</p>}
      </>
    )
  const verdict = verdictOf(now.model, now.end, now.own, amounts)
  return (
    <>
      <p>
        <b>{endWords(now.end, amounts)}</b>{' '}
        <span class={verdict.tone === 'plain' ? '' : verdict.tone}>{verdict.text}</span>
      </p>
      <p class="hint">
        {sizeWords(now.size)}, {now.end.seconds.toFixed(2)} s
      </p>
    </>
  )
}

export function Program() {
  const now = useValue(program)
  const [model, choose] = useState<ProgramModel>('addresses')
  const text = PROGRAMS.find(({ id }) => id === model)?.text
  const busy = now?.kind === 'writing' || now?.kind === 'solving'
  return (
    <section class="tab-part" aria-labelledby="program-head">
      <header class="section-head">
        <h2 id="program-head">The paper’s program</h2>
      </header>
      <p class="hint">
        COSMA’s integer linear program in HiGHS, a solver that knows nothing of ours: for small networks, and to check.
        It is fetched when it is asked for.
      </p>
      <div class="field program-choice">
        <label for="program-model">Program</label>
        <select
          id="program-model"
          value={model}
          title={text}
          onChange={(event) => choose(event.currentTarget.value as ProgramModel)}
        >
          {PROGRAMS.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </div>
      <div class="program-told" role="status">
        {now !== null && <Told now={now} />}
      </div>
      <div class="row row-wrap">
        {busy ? (
          <button type="button" class="button" onClick={stopProgram}>
            Stop
          </button>
        ) : (
          <button type="button" class="button" onClick={() => void startProgram(model)}>
            Solve it
          </button>
        )}
      </div>
    </section>
  )
}
