/** Buttons that take a chart along: as SVG, PNG, TikZ and CSV. */
import { useState } from 'preact/hooks'
import { Later } from '../../base/later'
import type { Chart, ChartForm } from '../../export/chart_files'

const pictures = new Later(() => import('../../export/chart_files'))
const files = new Later(() => import('../../export/files'))
const dom = new Later(() => import('../../export/dom_shapes'))

const FORMS: readonly (readonly [ChartForm, string])[] = [
  ['svg', 'SVG'],
  ['png', 'PNG'],
  ['tex', 'TikZ'],
]

/** What the page has laid out, as a chart. */
export async function chartOf(element: Element | null, title: string): Promise<Chart | null> {
  return element === null ? null : { title, ...(await dom.get()).domShapes(element) }
}

/** file: its name without an ending. csv: null where another button has it. */
export function TakeChart(props: {
  chart: () => Promise<Chart | null> | Chart | null
  file: string
  csv: (() => string) | null
  off?: boolean
}) {
  const { chart, file, csv, off = false } = props
  const [wrong, setWrong] = useState('')
  const attempt = (work: () => Promise<unknown>) => {
    setWrong('')
    work().catch((error: unknown) => setWrong(error instanceof Error ? error.message : String(error)))
  }
  const save = async (form: ChartForm) => {
    const made = await chart()
    if (made !== null) await (await pictures.get()).saveChart(made, form, file)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame of its own
    <span class="take-chart" role="group" aria-label="Take the chart as">
      <span class="why" role="status">
        {wrong}
      </span>
      {FORMS.map(([form, name]) => (
        <button key={form} type="button" class="quiet-button" disabled={off} onClick={() => attempt(() => save(form))}>
          {name}
        </button>
      ))}
      {csv !== null && (
        <button
          type="button"
          class="quiet-button"
          disabled={off}
          onClick={() => attempt(async () => (await files.get()).saveText(csv(), `${file}.csv`, 'text/csv'))}
        >
          CSV
        </button>
      )}
    </span>
  )
}
