/** The dialog in which a figure is made: what it shows and how large, a preview, and the files that it can be. */
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { thousands } from '../../base/format'
import { Cell } from '../../base/cell'
import { ALWAYS, pausesWhile } from '../../base/slices'
import { useValue } from '../../base/use_value'
import { MOST_SIDE, paintCanvas } from '../../export/figure/figure_png'
import {
  type FigureForm,
  type FigurePlan,
  type FigureSpec,
  type Preset,
  planInSlices,
  saveFigure,
  sizeOf,
} from '../../run/share/exports'
import { scene, steps, cursor } from '../../state/workbench'
import { viewport, viewportWhole } from '../../state/ui'
import { Pick, Tick } from '../controls/choice'
import { useActions } from '../page/context'
import '../../styles/later'

const PRESETS: readonly (readonly [Preset, string])[] = [
  ['single', 'Single column, 88 mm'],
  ['double', 'Double column, 180 mm'],
  ['slide', 'Slide, 16:9'],
  ['screen', 'As on the screen'],
]
/** What takes longer says so. */
const SLOW_MS = 200
const SCALES = ['1', '2', '4', '6'] as const

interface Choices {
  preset: Preset
  theme: 'light' | 'dark'
  range: 'all' | 'shown'
  title: string
  step: boolean
  legend: boolean
  scale: (typeof SCALES)[number]
}

/** They stay until the page is left; null: nothing was chosen yet. */
const chosen = new Cell<Choices | null>(null)

function initial(): Choices {
  return {
    preset: 'double',
    theme: 'light',
    range: viewportWhole.get() ? 'all' : 'shown',
    title: '',
    // at the end it is the plan that is shown, not who was placed last
    step: cursor.get() < steps.get(),
    legend: true,
    scale: '4',
  }
}

/** What the preview and the files are made from, a little at a time; one that is not wanted any more is given up. */
function usePlan(spec: FigureSpec | null): Promise<FigurePlan | null> {
  const made = useMemo(() => {
    const life = new AbortController()
    const wanted = () => !life.signal.aborted
    return { life, plan: spec === null ? Promise.resolve(null) : planInSlices(spec, pausesWhile(wanted)) }
  }, [spec])
  useEffect(() => () => made.life.abort(), [made])
  return made.plan
}

/** The same object as long as the figure would look the same. null: there is nothing to draw. */
function useSpec({ preset, theme, range, title, step, legend }: Choices): FigureSpec | null {
  const shown = useValue(scene)
  const visible = useValue(viewport)
  const view = range === 'shown' ? visible : null
  const { width, height } = useActions().view?.size ?? { width: 960, height: 540 }
  return useMemo(
    () => shown && { scene: { ...shown, theme }, size: sizeOf(preset, { width, height }), view, title, step, legend },
    [shown, theme, preset, width, height, view, title, step, legend],
  )
}

/** Drawn anew whenever it would look different, as large as there is room; until then it stays as it was. */
function Preview({ plan, size }: { plan: Promise<FigurePlan | null>; size: FigureSpec['size'] }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [busy, setBusy] = useState(false)
  const { width, height } = size
  useLayoutEffect(() => {
    let wanted = true
    const slow = setTimeout(() => setBusy(true), SLOW_MS)
    const draw = async () => {
      const made = await plan
      const host = canvas.current
      if (!wanted || host === null || made === null) return
      const shown = Math.min(1, host.clientWidth / width || 1)
      // apart, for what is half painted is not to be seen
      const next = document.createElement('canvas')
      await paintCanvas(
        next,
        made,
        shown * window.devicePixelRatio,
        pausesWhile(() => wanted),
      )
      if (!wanted) return
      Object.assign(host, { width: next.width, height: next.height })
      host.getContext('2d')?.drawImage(next, 0, 0)
    }
    // saving it says why it cannot be drawn
    draw()
      .catch(() => {})
      .finally(() => {
        clearTimeout(slow)
        if (wanted) setBusy(false)
      })
    return () => {
      wanted = false
      clearTimeout(slow)
    }
  }, [plan, width, height])
  return (
    <div class="figure-preview" aria-busy={busy}>
      {busy && (
        <p class="figure-busy hint" role="status">
          Drawing the figure…
        </p>
      )}
      <canvas
        ref={canvas}
        role="img"
        aria-label="Preview of the figure"
        style={{ aspectRatio: `${width} / ${height}`, maxWidth: `${Math.min(width, (300 * width) / height)}px` }}
      />
    </div>
  )
}

function Title({ value, set }: { value: string; set: (value: string) => void }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>Title</label>
      <span class="field-box">
        <input
          id={id}
          type="text"
          autocomplete="off"
          value={value}
          onInput={(event) => set(event.currentTarget.value)}
        />
      </span>
    </div>
  )
}

/** Of the PNG. */
function pixels({ size }: FigureSpec, scale: string): string {
  const of = (units: number) => thousands(Math.round(units * Number(scale)))
  return `${of(size.width)} × ${of(size.height)}`
}

/** What the files measure on paper. */
function measure({ size }: FigureSpec, scale: string): string {
  const mm = (units: number) => (units * size.unit).toFixed(0)
  const dpi = Math.round((Number(scale) / size.unit) * 25.4)
  return `${mm(size.width)} × ${mm(size.height)} mm; the PNG has ${dpi} dpi.`
}

export function FigureSheet() {
  const [said, setSaid] = useState('')
  const choices = useValue(chosen) ?? initial()
  useEffect(() => chosen.set(choices), [])
  const spec = useSpec(choices)
  const plan = usePlan(spec)
  if (spec === null) return <p class="hint">There is nothing to draw yet.</p>
  const set = (change: Partial<Choices>) => {
    setSaid('')
    chosen.set({ ...choices, ...change })
  }
  const longest = Math.max(spec.size.width, spec.size.height)
  const fits = SCALES.filter((scale) => Number(scale) * longest <= MOST_SIDE)
  const scale = fits.includes(choices.scale) ? choices.scale : (fits.at(-1) ?? '1')
  const save = async (form: FigureForm, name: string) => {
    setSaid('')
    const slow = setTimeout(() => setSaid(`${name} is being made…`), SLOW_MS)
    try {
      // that of the preview is given up if something else is chosen meanwhile
      const made = (await plan) ?? (await planInSlices(spec, pausesWhile(ALWAYS)))
      if (made !== null) await saveFigure(made, form, Number(scale))
      setSaid(`${name} was saved.`)
    } catch (error) {
      setSaid(error instanceof Error ? error.message : String(error))
    } finally {
      clearTimeout(slow)
    }
  }
  return (
    <>
      <Preview plan={plan} size={spec.size} />
      <div class="figure-form">
        <Pick label="Size" value={choices.preset} choices={PRESETS} set={(preset) => set({ preset })} />
        <Title value={choices.title} set={(title) => set({ title })} />
        <Pick
          label="Theme"
          value={choices.theme}
          choices={[
            ['light', 'Light'],
            ['dark', 'Dark'],
          ]}
          set={(theme) => set({ theme })}
        />
        <Pick
          label="Range"
          value={choices.range}
          choices={[
            ['all', 'Everything'],
            ['shown', 'What is on screen'],
          ]}
          set={(range) => set({ range })}
        />
        <div class="checks">
          {steps.get() > 0 && <Tick label="What the step tries" value={choices.step} set={(step) => set({ step })} />}
          <Tick label="Legend" value={choices.legend} set={(legend) => set({ legend })} />
        </div>
        <Pick
          label="Pixels of the PNG"
          value={scale}
          choices={fits.map((name) => [name, pixels(spec, name)] as const)}
          set={(scale) => set({ scale })}
        />
      </div>
      <div class="row row-wrap">
        <button type="button" class="button primary" onClick={() => void save('svg', 'The SVG')}>
          Save SVG
        </button>
        <button type="button" class="button" onClick={() => void save('png', 'The PNG')}>
          Save PNG
        </button>
        <button type="button" class="button" onClick={() => void save('tex', 'The TikZ document')}>
          Save TikZ
        </button>
        <span class="hint" role="status">
          {said === '' ? measure(spec, scale) : said}
        </span>
      </div>
    </>
  )
}
