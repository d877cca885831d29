/** A text field for one value: checked when it is left or Enter is pressed; what is wrong stays, with the reason under it. */
import { useEffect, useId, useLayoutEffect, useState } from 'preact/hooks'
import { useValue } from '../../base/use_value'
import type { Parsed } from '../../state/page/quantity'
import { misfilled, setMisfilled } from '../../state/ui'
import { opened } from '../../state/workbench'

export interface FieldProps {
  label: string
  /** as it is written */
  value: string
  parse: (text: string) => Parsed
  set: (value: number) => void
  unit?: string | undefined
  help?: string | undefined
}

/** Puts the focus into a field, all of its text chosen. Selecting alone does that in some browsers only. */
export function chooseText(field: HTMLInputElement | HTMLTextAreaElement | null): void {
  field?.focus()
  field?.select()
}

/** The first field of a form whose text is no value; null stands for the whole page. A field behind a dialog is not the dialog's. */
export function wrongIn(form: Element | null): HTMLElement | null {
  const fields = misfilled.get().map((id) => document.getElementById(id))
  return fields.find((field) => field !== null && (form ?? document).contains(field)) ?? null
}

/** Whether every field of a form holds a value; the first that does not has the focus then. */
export function filled(form: Element | null): boolean {
  const wrong = wrongIn(form)
  wrong?.focus()
  return wrong === null
}

export function NumberField({ label, value, parse, set, unit, help }: FieldProps) {
  const id = useId()
  const [text, setText] = useState(value)
  const [wrong, setWrong] = useState('')
  const problem = useValue(opened)
  // at once: leaving the field before a later effect would take the old text for a new request
  useLayoutEffect(() => {
    setText(value)
    setWrong('')
    setMisfilled(id, false)
  }, [value, problem])
  useEffect(() => () => setMisfilled(id, false), [id])
  const commit = () => {
    const parsed = parse(text)
    setWrong(parsed.ok ? '' : parsed.message)
    setMisfilled(id, !parsed.ok)
    if (!parsed.ok) return
    set(parsed.value)
    setText(value)
  }
  return (
    <div class="field" title={help}>
      <label for={id}>{label}</label>
      <span class="field-box">
        <input
          id={id}
          type="text"
          class="mono"
          inputMode="text"
          autocomplete="off"
          spellcheck={false}
          value={text}
          aria-invalid={wrong !== ''}
          aria-describedby={wrong === '' ? undefined : `${id}-why`}
          onInput={(event) => {
            const typed = event.currentTarget.value
            setText(typed)
            // The reason goes as soon as it no longer holds: what lies below must not move when the next button is pressed.
            if (wrong === '' || !parse(typed).ok) return
            setWrong('')
            setMisfilled(id, false)
          }}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit()
          }}
        />
        {unit !== undefined && <span class="field-unit">{unit}</span>}
      </span>
      {wrong !== '' && (
        <p class="field-why" id={`${id}-why`}>
          {wrong}
        </p>
      )}
    </div>
  )
}
