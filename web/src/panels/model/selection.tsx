/** What of a model lives in a small fast memory, by repacker: the bytes that it moves for the slow one, and the two pools that come of it. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { SelectVerdict } from '../../../../wasm/client/types'
import { bytesIn, exactBytes, percent, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { baseName } from '../../export/files'
import { backToModel, openPools, startChoosing, stopChoosing } from '../../run/model/selection'
import { repackerColumns, REPACKERS } from '../../state/model/repackers'
import { type Choosing, choosing, choosingSought, seekChoosing } from '../../state/model/selection'
import { capacityText, parseBytes } from '../../state/page/quantity'
import { usable } from '../../state/profile/profile'
import { opened, profile, unit } from '../../state/workbench'
import { type Given, nameOf } from '../../state/workbench_values'
import { Choice } from '../controls/one_of'
import { CopyTable } from '../controls/data_table'
import { NumberField } from '../controls/field'
import { I } from '../controls/icons'
import { useActions } from '../page/context'
import { Fact } from '../solver/result'

/** Of the peak: what TelaMalloc's figure 18 is repeated with here. */
const SHARES = [25, 50, 75]
/** Longer lists are cut; the CSV has all. */
const LISTED = 100
/** How much faster fast memory is than slow memory, where a gain is told. */
const RATIO = 10

const VERDICT: Record<SelectVerdict, string> = {
  waits: '',
  fits: 'found a gap',
  repacked: 'in, once repacked',
  'no room': 'no room',
  unused: 'not read',
}

const isIn = (verdict: SelectVerdict) => verdict === 'fits' || verdict === 'repacked'

const speedUp = (bytes: number, fast: number) => bytes / Math.max(1, bytes - fast + fast / RATIO)

function Repackers({ now }: { now: Choosing }) {
  const actions = useActions()
  const amounts = useValue(unit)
  const moved = now.rows.flatMap((row) => row?.fastBytes ?? [])
  const [least, most] = [Math.min(...moved), Math.max(...moved)]
  const known = REPACKERS.flatMap((repacker, k) => {
    const chosen = now.rows[k]
    return chosen ? [{ repacker, capacity: now.capacity, chosen, k }] : []
  })
  return (
    <>
      <table class="schemes-table" aria-label="What lives in fast memory, by repacker">
        {now.shown === null && <caption>Chosen for {bytesIn(now.capacity, amounts)}</caption>}
        <thead>
          <tr>
            <th scope="col">Moved by it</th>
            <th scope="col">Buffers</th>
            <th scope="col">Repacks of use</th>
          </tr>
        </thead>
        {known.map(({ repacker, chosen, k }) => (
          <tbody key={repacker.name} aria-current={now.shown?.repacker === k ? 'true' : undefined}>
            <tr>
              <th scope="rowgroup" colSpan={3}>
                <button
                  type="button"
                  class="text-button"
                  title={`${repacker.text} Opens the two pools.`}
                  onClick={() => void openPools(actions, k)}
                >
                  {repacker.name}
                </button>
                {chosen.fastBytes === most && most > least && (
                  <span class="ok scheme-least">
                    <I name="tick" />
                    moves the most
                  </span>
                )}
              </th>
            </tr>
            <tr class="mono">
              <td title={exactBytes(chosen.fastBytes)}>
                {bytesIn(chosen.fastBytes, amounts)}{' '}
                <span class="dim">{percent(chosen.fastBytes / Math.max(1, chosen.bytes))}</span>
              </td>
              <td>
                {thousands(chosen.fast)} <span class="dim">of {thousands(chosen.count)}</span>
              </td>
              <td>
                {thousands(chosen.repacked)} <span class="dim">of {thousands(chosen.repacks)}</span>
              </td>
            </tr>
          </tbody>
        ))}
      </table>
      {now.failed !== '' && (
        <p class="hint why" role="alert">
          {now.failed}
        </p>
      )}
      <div class="row row-wrap">
        <CopyTable columns={repackerColumns} rows={known} file={`${baseName(now.whole)}.fast`} />
      </div>
    </>
  )
}

/** In the model's tab. */
export function Selecting() {
  const now = useValue(choosing)
  const open = useValue(opened)
  const peak = open?.problem.lowerBound ?? 0
  const chip = useValue(profile)
  const [asked, setAsked] = useState<{ of: Given | undefined; bytes: number } | null>(null)
  const ask = (bytes: number) => setAsked({ of: open?.text, bytes })
  const shareOf = (share: number) => Math.max(1, Math.floor((peak * share) / 100))
  const room = chip === null ? 0 : usable(chip)
  const own = room > 0 && room < peak ? room : shareOf(50)
  // another model has a peak of its own
  const capacity = asked !== null && asked.of === open?.text ? asked.bytes : (now?.capacity ?? own)
  const part = useRef<HTMLElement>(null)
  const sought = useValue(choosingSought)
  useEffect(() => {
    if (!sought) return
    part.current?.scrollIntoView({ block: 'start' })
    seekChoosing(false)
  }, [sought])
  const done = now?.rows.filter((row) => row !== null).length ?? 0
  return (
    <section class="tab-part" aria-labelledby="selecting-head" ref={part}>
      <header class="section-head">
        <h2 id="selecting-head">What lives in scratchpad</h2>
        <span class="section-note">{now?.running === true ? `${done} of ${REPACKERS.length}` : ''}</span>
      </header>
      <p class="hint">
        A small fast memory takes the buffers that are read most for their size; the others stay in the slow one. Where
        one finds no gap, a repacker packs those that are in anew.
      </p>
      <NumberField
        label="Fast memory"
        value={capacityText(capacity)}
        parse={parseBytes}
        set={ask}
        help="Bytes of the fast memory. Accepts 1048576, 1,024 KiB or 1 MiB."
      />
      <Choice
        name="Of the peak"
        now={String(capacity)}
        choices={SHARES.map((share) => [String(shareOf(share)), `${share} %`] as const)}
        set={(value) => ask(Number(value))}
      />
      {now !== null && <Repackers now={now} />}
      <div class="row row-wrap">
        {now?.running === true ? (
          <button type="button" class="button" onClick={stopChoosing}>
            Stop
          </button>
        ) : (
          <button type="button" class="button" onClick={() => void startChoosing(capacity)}>
            {now === null ? 'Choose' : 'Choose again'}
          </button>
        )}
      </div>
    </section>
  )
}

function Buffers({ now, repacker }: { now: Choosing; repacker: number }) {
  const actions = useActions()
  const amounts = useValue(unit)
  const problem = useValue(opened)?.problem
  const chosen = now.rows[repacker]
  if (problem === undefined || !chosen) return null
  const rest = chosen.rows.length - LISTED
  return (
    <section class="tab-part" aria-labelledby="priority-head">
      <header class="section-head">
        <h2 id="priority-head">By priority</h2>
      </header>
      <p class="hint">Bytes that its accesses move, by the root of its size: who is first looks for a gap first.</p>
      <ul class="peak-list">
        {chosen.rows.slice(0, LISTED).map(({ buffer, bytes, accesses, verdict }) => (
          <li key={buffer}>
            <button
              type="button"
              class="peak-row"
              style={{
                '--share': (bytes / Math.max(1, chosen.bytes)).toFixed(4),
                '--fill': isIn(verdict) ? 'var(--accent)' : 'var(--line-2)',
              }}
              onPointerEnter={() => actions.canvas.light([buffer], -1)}
              onPointerLeave={() => actions.canvas.light([], -1)}
              onFocus={() => actions.canvas.light([buffer], -1)}
              onBlur={() => actions.canvas.light([], -1)}
              onClick={() => actions.canvas.reveal(buffer)}
            >
              <span class="peak-id mono clip">{problem.ids.at(buffer)}</span>
              <span class="mono" title={`${exactBytes(bytes)} in ${thousands(accesses)} accesses`}>
                {bytesIn(bytes, amounts)}
              </span>
              <span class={`peak-from clip${verdict === 'no room' ? ' why' : ''}`}>{VERDICT[verdict]}</span>
              <span class="mono dim">{percent(bytes / Math.max(1, chosen.bytes))}</span>
            </button>
          </li>
        ))}
      </ul>
      {rest > 0 && <p class="hint">and {thousands(rest)} more, of less priority</p>}
    </section>
  )
}

/** In the place of the model's tab, while its two pools are open. */
export function Pools() {
  const actions = useActions()
  const now = useValue(choosing)
  const amounts = useValue(unit)
  const repacker = now?.shown?.repacker ?? -1
  const chosen = now?.rows[repacker]
  if (now === null || !chosen) return null
  const { bytes, fastBytes, fast, count, repacked, repacks } = chosen
  return (
    <div class="model-tab">
      <section class="tab-part" aria-labelledby="pools-head">
        <header class="section-head">
          <h2 id="pools-head">What lives in scratchpad</h2>
          <span class="section-note">{bytesIn(now.capacity, amounts)}</span>
        </header>
        <dl class="facts">
          <Fact name="Repacked by">{REPACKERS[repacker]?.name}</Fact>
          <Fact name="In fast memory">
            {thousands(fast)} of {thousands(count)} buffers
          </Fact>
          <Fact name="Moved by it" title={`${exactBytes(fastBytes)} of ${exactBytes(bytes)}`}>
            {bytesIn(fastBytes, amounts)} of {bytesIn(bytes, amounts)}
          </Fact>
          <Fact name="Repacks of use">
            {thousands(repacked)} of {thousands(repacks)}
          </Fact>
          <Fact
            name="Speed-up"
            title={`over slow memory alone, were memory all that takes time, and fast memory ${RATIO} times as fast`}
          >
            {speedUp(bytes, fastBytes).toFixed(2)} at {RATIO} : 1
          </Fact>
        </dl>
        <Repackers now={now} />
        <div class="row row-wrap">
          <button type="button" class="button" onClick={() => void backToModel(actions)}>
            Back to {nameOf(now.whole.source).replace(/\.csv$/i, '')}
          </button>
        </div>
      </section>
      <Buffers now={now} repacker={repacker} />
    </div>
  )
}
