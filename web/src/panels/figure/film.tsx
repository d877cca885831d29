/** The dialog in which a film of the search is made: which steps, how fast, how large; then its progress, and the way out of it. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { bytes, seconds, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { canFilm, type FilmFormat, filmPlan, MOST_FRAMES, saveFilm } from '../../run/figure/film'
import { paceFor } from '../../state/search/pace'
import { steps } from '../../state/workbench'
import { type Parsed, parseCount } from '../../state/page/quantity'
import { theme } from '../../state/ui'
import { Pick } from '../controls/choice'
import { useActions } from '../page/context'
import { filled, NumberField } from '../controls/field'
import '../../styles/later'

const SIZES = [
  ['854x480', '854 × 480'],
  ['1280x720', '1280 × 720'],
  ['1920x1080', '1920 × 1080'],
] as const
const FORMATS: readonly (readonly [FilmFormat, string])[] = [
  ['webm', 'WebM'],
  ['mp4', 'MP4'],
]
const THEMES = [
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

type Making = { kind: 'no' } | { kind: 'yes'; done: number } | { kind: 'ended'; text: string }

function Progress({ done, all, cancel }: { done: number; all: number; cancel: () => void }) {
  return (
    <div class="row">
      <progress class="film-progress" max={all} value={done} aria-label="Frames made" />
      <span class="mono hint">
        {thousands(done)} of {thousands(all)} frames
      </span>
      <button type="button" class="button" onClick={cancel}>
        Cancel
      </button>
    </div>
  )
}

export function FilmSheet() {
  const actions = useActions()
  const total = useValue(steps)
  const [[from, to], setRange] = useState((): [number, number] => [0, total])
  const [pace, setPace] = useState(() => paceFor(total))
  const [size, setSize] = useState<(typeof SIZES)[number][0]>('1280x720')
  const [format, setFormat] = useState<FilmFormat>('webm')
  const [colours, setColours] = useState(theme.get())
  const [making, setMaking] = useState<Making>({ kind: 'no' })
  const stop = useRef<AbortController | null>(null)
  useEffect(() => () => stop.current?.abort(), [])
  if (!canFilm()) return <p class="prose">This browser cannot encode a film. Chrome, Edge and Firefox can.</p>
  const plan = from <= to ? filmPlan(from, to, pace) : null
  const busy = making.kind === 'yes'
  const change =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      setMaking({ kind: 'no' })
      set(value)
    }
  const parse = (text: string): Parsed => parseCount(text, 0, total)
  const make = async (dialog: Element | null) => {
    if (plan === null || !filled(dialog)) return
    const [width = 1280, height = 720] = size.split('x').map(Number)
    stop.current = new AbortController()
    const { signal } = stop.current
    setMaking({ kind: 'yes', done: 0 })
    try {
      const request = { plan, format, theme: colours, width, height }
      const saved = await saveFilm(actions.session, request, (done) => setMaking({ kind: 'yes', done }), signal)
      setMaking({
        kind: 'ended',
        text: `Saved: ${seconds(plan.duration / 1000)}, ${bytes(saved.bytes)}, ${saved.codec}.`,
      })
    } catch (error) {
      const text = signal.aborted
        ? 'Cancelled. Nothing was saved.'
        : error instanceof Error
          ? error.message
          : `${error}`
      setMaking({ kind: 'ended', text })
    }
  }
  return (
    <>
      <fieldset class="figure-form film-form" disabled={busy}>
        <NumberField label="First step" value={thousands(from)} parse={parse} set={change((n) => setRange([n, to]))} />
        <NumberField label="Last step" value={thousands(to)} parse={parse} set={change((n) => setRange([from, n]))} />
        <NumberField
          label="Speed"
          unit="steps/s"
          value={thousands(pace)}
          parse={(text) => parseCount(text, 1, 1_000_000)}
          set={change(setPace)}
        />
        <Pick label="Size" value={size} choices={SIZES} set={change(setSize)} />
        <Pick label="Format" value={format} choices={FORMATS} set={change(setFormat)} />
        <Pick label="Theme" value={colours} choices={THEMES} set={change(setColours)} />
      </fieldset>
      {making.kind === 'yes' && plan !== null ? (
        <Progress done={making.done} all={plan.steps.length} cancel={() => stop.current?.abort()} />
      ) : (
        <div class="row row-wrap">
          <button
            type="button"
            class="button primary"
            disabled={plan === null}
            onClick={(event) => void make(event.currentTarget.closest('dialog'))}
          >
            Make film
          </button>
          <span class="hint" role="status">
            {making.kind === 'ended' ? making.text : measure(from, to, plan)}
          </span>
        </div>
      )}
    </>
  )
}

function measure(from: number, to: number, plan: ReturnType<typeof filmPlan>): string {
  if (from > to) return 'The first step lies behind the last.'
  if (plan === null) return `More than ${thousands(MOST_FRAMES)} frames: take fewer steps, or more of them a second.`
  return `${thousands(plan.steps.length)} frames, ${seconds(plan.duration / 1000)}.`
}
