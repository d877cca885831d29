/** What of a model lives in a small fast memory, by repacker: the bytes that it moves for the slow one; and the choice that is played. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Selection, SelectVerdict } from '../../../../wasm/client/types'
import { bytesIn, exactBytes, percent, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { baseName } from '../../export/files'
import { backToModel, playChoice, startChoosing, stopChoosing } from '../../run/model/selection'
import { repackerColumns, repackerOf, REPACKERS } from '../../state/model/repackers'
import { type Choosing, choosing, choosingSought, seekChoosing } from '../../state/model/selection'
import { capacityText, parseBytes } from '../../state/page/quantity'
import { usable } from '../../state/profile/profile'
import { cursor, opened, problem, profile, run, stats, steps, unit } from '../../state/workbench'
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

/** What was chosen of the model that is open. */
function useChosen(): Choosing | null {
  const now = useValue(choosing)
  return now !== null && now.whole === useValue(opened) ? now : null
}

/** Whose choice is played; -1: nobody's of these. */
function usePlayed(capacity: number): number {
  const state = useValue(run)
  return state.kind === 'idle' || state.config.capacity !== capacity ? -1 : repackerOf(state.config)
}

function Repackers({ now }: { now: Choosing }) {
  const played = usePlayed(now.capacity)
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
        {played < 0 && <caption>Chosen for {bytesIn(now.capacity, amounts)}</caption>}
        <thead>
          <tr>
            <th scope="col">Moved by it</th>
            <th scope="col">Buffers</th>
            <th scope="col">Repacks of use</th>
          </tr>
        </thead>
        {known.map(({ repacker, chosen, k }) => (
          <tbody key={repacker.name}>
            <tr>
              <th scope="rowgroup" colSpan={3}>
                <button
                  type="button"
                  class="text-button"
                  aria-current={played === k ? 'true' : undefined}
                  title={`${repacker.text} Plays it step by step.`}
                  onClick={() => void playChoice(actions, k)}
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
              <td title={`of ${thousands(chosen.count)}`}>{thousands(chosen.fast)}</td>
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

/** 'n of 5' while it is chosen, else ''. */
function progressOf(now: Choosing | null): string {
  return now?.running === true ? `${now.rows.filter((row) => row !== null).length} of ${now.asked}` : ''
}

function Stop() {
  return (
    <button type="button" class="button" onClick={stopChoosing}>
      Stop
    </button>
  )
}

/** In the model's tab. */
export function Selecting() {
  const now = useChosen()
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
  return (
    <section class="tab-part" aria-labelledby="selecting-head" ref={part}>
      <header class="section-head">
        <h2 id="selecting-head">What lives in scratchpad</h2>
        <span class="section-note">{progressOf(now)}</span>
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
          <Stop />
        ) : (
          <button type="button" class="button" onClick={() => void startChoosing(capacity)}>
            {now === null ? 'Choose' : 'Choose again'}
          </button>
        )}
      </div>
    </section>
  )
}

function Buffers({ chosen }: { chosen: Selection }) {
  const actions = useActions()
  const amounts = useValue(unit)
  const given = useValue(problem)
  const last = useValue(cursor) === useValue(steps)
  if (given === null) return null
  const rest = chosen.rows.length - LISTED
  return (
    <section class="tab-part" aria-labelledby="priority-head">
      <header class="section-head">
        <h2 id="priority-head">By priority</h2>
      </header>
      <p class="hint">Bytes that its accesses move, by the root of its size: who is first looks for a gap first.</p>
      <ul class="peak-list">
        {chosen.rows.slice(0, LISTED).map(({ buffer, bytes, accesses, verdict }) => {
          // at the step shown: who is in by then, and at the end who is not
          const known = given.pool?.[buffer] === 0 || (last && !isIn(verdict))
          return (
            <li key={buffer}>
              <button
                type="button"
                class="peak-row"
                style={{
                  '--share': (bytes / Math.max(1, chosen.bytes)).toFixed(4),
                  '--fill': known && isIn(verdict) ? 'var(--accent)' : 'var(--line-2)',
                }}
                onPointerEnter={() => actions.canvas.light([buffer], -1)}
                onPointerLeave={() => actions.canvas.light([], -1)}
                onFocus={() => actions.canvas.light([buffer], -1)}
                onBlur={() => actions.canvas.light([], -1)}
                onClick={() => actions.canvas.reveal(buffer)}
              >
                <span class="peak-id mono clip">{given.ids.at(buffer)}</span>
                <span class="mono" title={`${exactBytes(bytes)} in ${thousands(accesses)} accesses`}>
                  {bytesIn(bytes, amounts)}
                </span>
                <span class={`peak-from clip${known && verdict === 'no room' ? ' why' : ''}`}>
                  {known ? VERDICT[verdict] : ''}
                </span>
                <span class="mono dim">{percent(bytes / Math.max(1, chosen.bytes))}</span>
              </button>
            </li>
          )
        })}
      </ul>
      {rest > 0 && <p class="hint">and {thousands(rest)} more, of less priority</p>}
    </section>
  )
}

/** What the run that is shown has come to, more of it once the choices of all are known. */
function PlayedFacts({ chosen }: { chosen: Selection | null }) {
  const amounts = useValue(unit)
  const state = useValue(run)
  const now = useValue(stats)
  const count = useValue(opened)?.problem.count ?? 0
  if (state.kind === 'idle') return null
  const at = repackerOf(state.config)
  return (
    <dl class="facts">
      <Fact name="Repacked by">{REPACKERS[at]?.name ?? state.config.options.repacker ?? ''}</Fact>
      {now !== null && (
        <Fact name="In fast memory">
          {thousands(now.depth)} of {thousands(count)} buffers
        </Fact>
      )}
      {chosen !== null ? (
        <>
          <Fact name="Moved by it" title={`${exactBytes(chosen.fastBytes)} of ${exactBytes(chosen.bytes)}`}>
            {bytesIn(chosen.fastBytes, amounts)} of {bytesIn(chosen.bytes, amounts)}
          </Fact>
          <Fact name="Repacks of use">
            {thousands(chosen.repacked)} of {thousands(chosen.repacks)}
          </Fact>
          <Fact
            name="Speed-up"
            title={`over slow memory alone, were memory all that takes time, and fast memory ${RATIO} times as fast`}
          >
            {speedUp(chosen.bytes, chosen.fastBytes).toFixed(2)} at {RATIO} : 1
          </Fact>
        </>
      ) : (
        now !== null && now.cost >= 0 && <Fact name="Moved by slow memory">{bytesIn(now.cost, amounts)}</Fact>
      )}
    </dl>
  )
}

/** In the place of the model's parts, while what lives in fast memory is played. */
export function Pools() {
  const actions = useActions()
  const known = useChosen()
  const amounts = useValue(unit)
  const state = useValue(run)
  const model = useValue(opened)
  const capacity = state.kind === 'idle' ? 0 : state.config.capacity
  const played = usePlayed(capacity)
  const now = known?.capacity === capacity ? known : null
  const outcome = state.kind === 'ended' ? state.result.stats.outcome : 'running'
  // of a run that was cut short no more is known than it says itself
  const whole = outcome === 'feasible' || outcome === 'optimal'
  // after a reload, or from a link, nobody has chosen yet: the one that is shown does, the others when they are asked
  const wanted = whole && played >= 0 && now === null
  useEffect(() => {
    if (wanted) void startChoosing(capacity, played)
  }, [wanted, capacity])
  const chosen = (whole && now?.rows[played]) || null
  const fewer = now !== null && !now.running && now.asked < REPACKERS.length
  return (
    <div class="model-tab">
      <section class="tab-part" aria-labelledby="pools-head">
        <header class="section-head">
          <h2 id="pools-head">What lives in scratchpad</h2>
          <span class="section-note">{progressOf(now) || bytesIn(capacity, amounts)}</span>
        </header>
        <PlayedFacts chosen={chosen} />
        {now !== null && <Repackers now={now} />}
        <div class="row row-wrap">
          <button type="button" class="button" onClick={() => void backToModel(actions)}>
            Back to {model === null ? 'the model' : nameOf(model.source).replace(/\.csv$/i, '')}
          </button>
          {fewer && (
            <button type="button" class="button" onClick={() => void startChoosing(capacity)}>
              Compare repackers
            </button>
          )}
          {now?.running === true && <Stop />}
        </div>
      </section>
      {chosen !== null && <Buffers chosen={chosen} />}
    </div>
  )
}
