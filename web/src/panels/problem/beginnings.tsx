/** What can be done on a page without a problem. */
import { examples } from '../../state/problem/examples'
import { CommandText } from '../page/command_button'
import { useActions } from '../page/context'
import { OpenFile } from './open_file'

/** One of each sort; the others are in the header's list. */
const FRONT = ['five.csv', 'ten.csv', 'rule-section.csv', 'network-400.csv']
const front = examples.filter((example) => FRONT.includes(example.file))

export function Beginnings() {
  const actions = useActions()
  return (
    <div class="first-page">
      <h2>Drop a model or a buffer CSV here, or watch an allocator think about one of these.</h2>
      <ul>
        {front.map((example) => (
          <li key={example.file}>
            <span class="first-page-title">{example.title}</span>
            <span class="dim clip">{example.subtitle}</span>
            <button
              type="button"
              class="text-button"
              aria-label={`Open ${example.title}`}
              onClick={() => void actions.problem.openExample(example)}
            >
              Open
            </button>
          </li>
        ))}
      </ul>
      <div class="row row-wrap">
        <button type="button" class="button primary" onClick={() => actions.draft.pasteNew()}>
          Paste CSV
        </button>
        <OpenFile label="Choose file" class="button" />
        <button type="button" class="button" onClick={() => void actions.draft.draw()}>
          Draw buffers
        </button>
        <CommandText name="zoo" class="button" />
        <CommandText name="lessons" class="button" />
      </div>
    </div>
  )
}
