/** What a person leaves along a search: marked steps with notes, a range to play, and what playing stops at. Lies over the canvas, above the search. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import {
  JUMP_BUDGET,
  jumpToStop,
  moreToSearch,
  playRange,
  rangeFrom,
  rangeTo,
  stopLooking,
} from '../../run/marks/play_to_stop'
import { markHere, noteMark, removeMark, removeStop, setRange, switchStop } from '../../run/marks/marking'
import { looking, manifest } from '../../state/atoms'
import { steps, cursor, opened } from '../../state/workbench'
import * as m from '../../state/marks/marks'
import { parseCount } from '../../state/page/quantity'
import { conditionOf, stopText } from '../../state/marks/stop_words'
import { width } from '../../state/ui'
import '../../styles/later'
import { useActions } from '../page/context'
import { I, type IconName } from '../controls/icons'
import { previewTour } from '../../run/marks/tour'
import { AskForm } from './ask_form'
import { StopForm } from './stop_form'
import { Speed, StepField } from '../search/transport_parts'
import * as workbench from '../../state/workbench'
import { showMarks } from '../../run/page/modes'

function Small(props: { icon: IconName; name: string; act: () => void }) {
  return (
    <button type="button" class="icon-button" aria-label={props.name} title={props.name} onClick={props.act}>
      <I name={props.icon} />
    </button>
  )
}

// ---- stops

function StopRow({ stop }: { stop: m.Stop }) {
  const known = useValue(manifest)
  const problem = useValue(opened)?.problem
  const words = stopText(stop, known)
  const found = problem === undefined || known === null ? null : conditionOf(stop, problem, known)
  const why = found !== null && 'why' in found ? found.why : ''
  return (
    <li class="watch-row">
      <label class="check watch-text">
        <input type="checkbox" checked={stop.on} onChange={(event) => switchStop(stop, event.currentTarget.checked)} />
        <span class={stop.on && why === '' ? '' : 'dim'}>{words}</span>
      </label>
      <Small icon="close" name={`Delete the stop: ${words}`} act={() => removeStop(stop)} />
      {why !== '' && <p class="field-why watch-why">{why}</p>}
    </li>
  )
}

function Stops() {
  const actions = useActions()
  const list = useValue(workbench.stops)
  const busy = useValue(looking)
  const said = useValue(m.stopped)
  const further = useValue(moreToSearch)
  const { session } = actions
  return (
    <section class="watch-part" aria-labelledby="stops-head">
      <header class="section-head">
        <h3 id="stops-head">Stops</h3>
        <span class="section-note">playing ends at the first step that meets one</span>
      </header>
      {list.length > 0 && (
        <ul class="watch-list">
          {list.map((stop) => (
            <StopRow key={JSON.stringify({ ...stop, on: true })} stop={stop} />
          ))}
        </ul>
      )}
      <StopForm />
      <div class="row row-wrap">
        <button
          type="button"
          class="button"
          disabled={list.length === 0}
          onClick={() => void jumpToStop(session, false)}
        >
          Find previous
        </button>
        <button
          type="button"
          class="button"
          disabled={list.length === 0}
          onClick={() => void jumpToStop(session, true)}
        >
          Find next
        </button>
        {!busy && further !== null && (
          <button type="button" class="button" onClick={() => void jumpToStop(session, further.forward, further.step)}>
            Look on from there
          </button>
        )}
        {busy && (
          <button type="button" class="button" onClick={() => stopLooking(session)}>
            Stop looking
          </button>
        )}
      </div>
      <p class="hint">{busy ? `Looking at up to ${thousands(JUMP_BUDGET)} steps…` : said}</p>
    </section>
  )
}

// ---- marks

function Note({ mark }: { mark: m.Mark }) {
  const [text, setText] = useState(mark.note)
  useLayoutEffect(() => setText(mark.note), [mark.note])
  const keep = () => text !== mark.note && noteMark(mark, text)
  return (
    <input
      type="text"
      class="input watch-note"
      aria-label={`Note on step ${thousands(mark.step)}`}
      placeholder="Note"
      maxLength={m.NOTE_LIMIT}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
        // it shuts the panel, and not every browser tells a field that is gone that it was left
        if (event.key === 'Escape') keep()
      }}
    />
  )
}

function MarkRow({ mark }: { mark: m.Mark }) {
  const actions = useActions()
  const here = useValue(cursor) === mark.step
  const total = useValue(steps)
  const [asking, setAsking] = useState(false)
  const at = thousands(mark.step)
  return (
    <li class={`watch-row${here ? ' watch-here' : ''}`} aria-current={here ? 'step' : undefined}>
      <button
        type="button"
        class="text-button mono watch-step"
        disabled={mark.step > total}
        title={mark.step > total ? 'This run ended before this step' : `Go to step ${at}`}
        onClick={() => actions.player.seek(mark.step)}
      >
        {at}
      </button>
      <Note mark={mark} />
      <button type="button" class="text-button" title="The range starts here" onClick={() => rangeFrom(mark.step)}>
        from
      </button>
      <button type="button" class="text-button" title="The range ends here" onClick={() => rangeTo(mark.step)}>
        to
      </button>
      <button
        type="button"
        class={`text-button${mark.ask ? ' watch-asks' : ''}`}
        aria-expanded={asking}
        title={mark.ask?.question ?? 'Ask something at this step'}
        onClick={() => setAsking(!asking)}
      >
        ask
      </button>
      <Small icon="close" name={`Delete the mark at step ${at}`} act={() => removeMark(mark)} />
      {asking && <AskForm mark={mark} close={() => setAsking(false)} />}
    </li>
  )
}

function Marks() {
  const actions = useActions()
  const shown = useValue(m.shownMarks)
  const others = useValue(m.marks).length - shown.length
  const at = useValue(cursor)
  const marked = shown.some(({ step }) => step === at)
  return (
    <section class="watch-part" aria-labelledby="marks-head">
      <header class="section-head">
        <h3 id="marks-head">Marks</h3>
        <span class="section-note">whoever opens the link walks them</span>
      </header>
      {shown.length > 0 && (
        <ul class="watch-list">
          {shown.map((mark) => (
            <MarkRow key={mark.step} mark={mark} />
          ))}
        </ul>
      )}
      <div class="row row-wrap">
        <button type="button" class="button" disabled={marked} onClick={() => markHere()}>
          Mark step {thousands(at)}
        </button>
        {shown.some(({ note, ask }) => note !== '' || ask !== undefined) && (
          <button
            type="button"
            class="button"
            title="As whoever opens the link sees it"
            onClick={() => {
              showMarks(false)
              previewTour(actions.session)
            }}
          >
            Walk them
          </button>
        )}
        {others > 0 && <span class="hint">{thousands(others)} of other searches come back when those are run.</span>}
      </div>
    </section>
  )
}

// ---- range

function End({ name, value, set }: { name: string; value: number; set: (step: number) => void }) {
  const [text, setText] = useState<string | null>(null)
  useLayoutEffect(() => setText(null), [value])
  const commit = () => {
    const parsed = text === null ? null : parseCount(text, 0, Number.MAX_SAFE_INTEGER)
    setText(null)
    if (parsed?.ok) set(parsed.value)
  }
  return (
    <label class="watch-end">
      <span>{name}</span>
      <input
        type="text"
        class="input mono"
        inputMode="numeric"
        autocomplete="off"
        value={text ?? thousands(value)}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur()
        }}
      />
    </label>
  )
}

function Between() {
  const actions = useActions()
  const range = useValue(m.shownRange)
  const loop = useValue(m.looping)
  const total = useValue(steps)
  const { from, to } = range ?? { from: 0, to: total }
  const phone = useValue(width) === 'phone'
  return (
    <section class="watch-part" aria-labelledby="range-head">
      <header class="section-head">
        <h3 id="range-head">Range</h3>
        <span class="section-note">{phone ? 'type, or take marks' : 'Shift and drag on the search, or type'}</span>
      </header>
      <div class="row row-wrap">
        <End name="From" value={from} set={(step) => setRange(step, to)} />
        <End name="to" value={to} set={(step) => setRange(from, step)} />
        <label class="check">
          <input type="checkbox" checked={loop} onChange={(event) => m.setLooping(event.currentTarget.checked)} />
          <span>Loop</span>
        </label>
      </div>
      <div class="row row-wrap">
        <button type="button" class="button" disabled={range === null} onClick={() => playRange(actions.session)}>
          Play the range
        </button>
        <button type="button" class="button" disabled={range === null} onClick={m.clearRange}>
          Clear the range
        </button>
      </div>
    </section>
  )
}

/** A phone's transport has no room for these. */
function Playing() {
  return (
    <section class="watch-part" aria-label="Playing">
      <div class="row">
        <span>Step</span>
        <StepField off={false} />
      </div>
      <Speed />
    </section>
  )
}

export function Watch() {
  const phone = useValue(width) === 'phone'
  const host = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const before = document.activeElement
    host.current?.focus()
    return () => {
      if (before instanceof HTMLElement && host.current?.contains(document.activeElement)) before.focus()
    }
  }, [])
  const close = () => showMarks(false)
  return (
    <div
      class="watch"
      role="dialog"
      aria-label="Marks and stops"
      tabIndex={-1}
      ref={host}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        close()
      }}
    >
      <header class="watch-head">
        <h2>Marks and stops</h2>
        <Small icon="close" name="Close marks and stops" act={close} />
      </header>
      <div class="watch-body">
        {phone && <Playing />}
        <Stops />
        <Marks />
        <Between />
      </div>
    </div>
  )
}
