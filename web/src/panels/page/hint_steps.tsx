/** What a first visit is told: how to read the page, and how to go on. It comes with the panels: the race, with which a first visit begins, has none of both. */
import type { ComponentChildren } from 'preact'
import { useValue } from '../../base/use_value'
import { width } from '../../state/ui'
import { CommandText } from './command_button'
import { useActions } from './context'

/** The hues and lines that mean something, wherever they are. */
const LEGEND: [string, string][] = [
  ['placed', 'placed buffer'],
  ['now', 'this step'],
  ['why', 'in its way'],
  ['capacity', 'capacity'],
]

export function Legend() {
  return (
    <ul class="hues">
      {LEGEND.map(([mark, text]) => (
        <li key={mark}>
          <span class={`hue hue-${mark}`} />
          {text}
        </li>
      ))}
    </ul>
  )
}

function Step({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <li>
      <b>{title}</b>
      <div>{children}</div>
    </li>
  )
}

export function Steps() {
  const actions = useActions()
  const phone = useValue(width) === 'phone'
  return (
    <ol class="hint-steps">
      <Step title="What you see">
        One step of a search is shown. Time runs right, addresses up.
        <Legend />
      </Step>
      <Step title="Play it">
        <button type="button" class="text-button" onClick={() => actions.search.watch()}>
          Watch the search
        </button>
        {phone ? (
          '.'
        ) : (
          <>
            : <kbd>Space</kbd>. One step: <kbd>→</kbd>. All else: <kbd>Ctrl K</kbd>.
          </>
        )}
      </Step>
      <Step title="Open your own">
        <button type="button" class="text-button" onClick={() => actions.draft.pasteNew()}>
          Paste a buffer CSV
        </button>
        {phone ? ', or open ' : ', or drop one here, a model or '}
        <CommandText name="formats" class="text-button">
          what a tool wrote
        </CommandText>
        .
      </Step>
    </ol>
  )
}
