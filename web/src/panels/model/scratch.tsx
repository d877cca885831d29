/** Scratch memory of operators that no file and no rule has: rows that the reader adds, or a log of the device; and the arena that comes of it. */
import { useId, useState } from 'preact/hooks'
import { thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { arenaNote } from '../../export/tflm_arena'
import { headsOf } from '../../export/tflm_head'
import type { ImportAnswers, ScratchRow } from '../../import/imported'
import { fileOpen, opened, result } from '../../state/workbench'
import { parseBytes } from '../../state/page/quantity'
import { FileButton } from '../controls/file_button'
import { useActions } from '../page/context'

/** Names that are offered: of more, any may be typed. */
const OFFERED = 200

function NewRow({ names, add }: { names: readonly string[]; add: (row: ScratchRow) => void }) {
  const id = useId()
  const [op, setOp] = useState('')
  const [bytes, setBytes] = useState('')
  const parsed = parseBytes(bytes)
  const ready = op.trim() !== '' && parsed.ok
  const send = () => {
    if (!ready) return
    add({ op: op.trim(), bytes: parsed.value })
    setOp('')
    setBytes('')
  }
  return (
    <form
      class="field scratch-row"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <span class="field-box">
        <input
          type="text"
          list={id}
          aria-label="Operator, or kind of operator"
          placeholder="Operator or kind"
          value={op}
          onInput={(event) => setOp(event.currentTarget.value)}
        />
      </span>
      <datalist id={id}>
        {names.slice(0, OFFERED).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <span class="field-box">
        <input
          type="text"
          class="mono"
          aria-label="Bytes of scratch"
          placeholder="Bytes"
          value={bytes}
          aria-invalid={bytes !== '' && !parsed.ok}
          onInput={(event) => setBytes(event.currentTarget.value)}
        />
      </span>
      <button type="submit" class="button" disabled={!ready}>
        Add
      </button>
    </form>
  )
}

function Log({ answers, set }: { answers: ImportAnswers; set: (next: ImportAnswers) => void }) {
  const { log, ...without } = answers
  if (log !== undefined)
    return (
      <p class="hint">
        A log of TFLite Micro is read with it.{' '}
        <button type="button" class="text-button" onClick={() => set(without)}>
          Without the log
        </button>
      </p>
    )
  return (
    <FileButton
      label="A log of TFLite Micro…"
      class="button"
      accept=".txt,.log,text/plain"
      take={async ([file]) => {
        if (file !== undefined) set({ ...answers, log: await file.text() })
      }}
    />
  )
}

/** What a device needs beside the head, with the plan that is there or at least. */
function LeastArena() {
  const tflite = useValue(fileOpen)?.tflite
  const now = useValue(opened)
  const best = useValue(result)?.best ?? null
  if (!tflite || now?.model === undefined) return null
  const { problem, model } = now
  const head =
    best?.length === problem.count
      ? headsOf(problem, model, tflite, best).planned
      : Math.ceil(problem.lowerBound / 16) * 16
  return (
    <p class="hint">
      TFLite Micro’s head: {thousands(head)} bytes. {arenaNote(tflite, head)}
    </p>
  )
}

/** The planner of the head is quadratic, and meant for models that fit a microcontroller. */
const MOST = 4096

/** Only while the file is still at hand. */
export function KnownScratch() {
  const actions = useActions()
  const file = useValue(fileOpen)
  const model = useValue(opened)?.model
  if (file === null || model === undefined) return null
  const { answers, tflite } = file
  const rows = answers.scratch ?? []
  const set = (next: ImportAnswers) => void actions.model.answerImport(next)
  const names = new Set([...(tflite?.scratch.unknown ?? []), ...model.ops.types, ...model.ops.ids])
  return (
    <fieldset class="scratch">
      <legend class="hint">Scratch that you know of</legend>
      {rows.map(({ op, bytes }, index) => (
        <div key={index} class="row">
          <span class="clip spring">{op}</span>
          <span class="mono">{thousands(bytes)} B</span>
          <button
            type="button"
            class="text-button"
            aria-label={`Remove the scratch of ${op}`}
            onClick={() => set({ ...answers, scratch: rows.filter((_, other) => other !== index) })}
          >
            Remove
          </button>
        </div>
      ))}
      <NewRow
        names={[...names].filter((name) => name !== '')}
        add={(row) => set({ ...answers, scratch: [...rows, row] })}
      />
      {tflite && <Log answers={answers} set={set} />}
      {tflite && model.tensors.count <= MOST && <LeastArena />}
    </fieldset>
  )
}
