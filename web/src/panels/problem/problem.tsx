import { thousands } from '../../base/format'
import { Later } from '../../base/later'
import { useValue } from '../../base/use_value'
import { fileOpen, aside, draft, opened } from '../../state/workbench'
import { TOO_LONG } from '../../state/edit/editing'
import { importing, reading } from '../../state/atoms'
import { Capacity } from './capacity'
import { OpenFile } from './open_file'
import { CommandText } from '../page/command_button'
import { useActions } from '../page/context'
import { Part } from '../controls/later_part'
import { ProfileField } from '../profile/profile'
import { nameOf, type Opened } from '../../state/workbench_values'

const editor = new Later(() => import('../edit/text_editor'))
const endConvention = new Later(() => import('./end_convention'))
const questions = new Later(() => import('../model/importing'))
const lowering = new Later(() => import('../model/lowering'))

function Loaded() {
  const actions = useActions()
  const now = useValue(opened)
  if (now === null) return <p class="hint">Nothing is loaded.</p>
  const name = nameOf(now.source)
  const long = now.text instanceof Blob
  return (
    <>
      <div class="row">
        <span class="file-name mono clip" title={name}>
          {name}
        </span>
        <button
          type="button"
          class="button"
          disabled={long}
          title={long ? TOO_LONG : undefined}
          onClick={() => actions.draft.edit()}
        >
          Edit
        </button>
      </div>
      {now.problem.convention !== '' && <p class="hint">{now.problem.convention}</p>}
      {now.original !== undefined && (
        <Part of={endConvention}>{({ EndConvention }) => <EndConvention now={now} />}</Part>
      )}
    </>
  )
}

/** The problem is a part of another one: the way back. */
function WayBack() {
  const actions = useActions()
  const whole = useValue(aside)
  if (whole === null) return null
  return (
    <p class="row part-row">
      <span class="hint">A part of {thousands(whole.count)} buffers.</span>
      <span class="spring" />
      <button type="button" class="text-button" onClick={() => void actions.solver.backToAll()}>
        Back to all
      </button>
    </p>
  )
}

function sizeOf({ problem, model }: Opened): string {
  const some = (n: number, one: string, many: string) => `${thousands(n)} ${n === 1 ? one : many}`
  return model === undefined
    ? `${some(problem.count, 'buffer', 'buffers')}, ${some(problem.sections.count, 'section', 'sections')}`
    : `${some(model.tensors.count, 'tensor', 'tensors')}, ${some(model.ops.count, 'operator', 'operators')}`
}

export function ProblemPanel() {
  const actions = useActions()
  const now = useValue(opened)
  const editing = useValue(draft) !== null
  const busy = useValue(reading)
  const coming = useValue(importing).kind !== 'none'
  const imported = useValue(fileOpen) !== null
  return (
    <section class="section" aria-labelledby="problem-head">
      <header class="section-head">
        <h2 id="problem-head">Problem</h2>
        {now !== null && (
          <span class="section-note" title={sizeOf(now)}>
            {sizeOf(now)}
          </span>
        )}
      </header>
      <WayBack />
      {editing ? <Part of={editor}>{({ Editor }) => <Editor />}</Part> : <Loaded />}
      {coming && <Part of={questions}>{({ Importing }) => <Importing />}</Part>}
      {busy && !coming && !editing && (
        <p class="hint" role="status">
          Reading…
        </p>
      )}
      <div class="row row-tight">
        {!editing && (
          <button type="button" class="text-button" onClick={() => actions.draft.pasteNew()}>
            Paste
          </button>
        )}
        <OpenFile label="File…" class="text-button" />
        <CommandText name="random" class="text-button" />
        {now !== null && (
          <button type="button" class="text-button dim" onClick={() => void actions.problem.clear()}>
            Clear
          </button>
        )}
      </div>
      {(now?.model !== undefined || imported) && <Part of={lowering}>{({ Lowering }) => <Lowering />}</Part>}
    </section>
  )
}

export function CapacityPanel() {
  const now = useValue(opened)
  return (
    <section class="section" aria-label="Memory and capacity">
      <header class="section-head">
        <h2>Capacity</h2>
      </header>
      <ProfileField />
      {now !== null && <Capacity />}
    </section>
  )
}
