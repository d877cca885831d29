/** A text field for one value: checked when it is left or Enter is pressed; what is wrong stays, with the reason under it. */
import { useEffect, useId, useState } from 'preact/hooks'
import type { Parsed } from '../state/quantity'

export interface FieldProps {
  label: string
  /** as it is written */
  value: string
  parse: (text: string) => Parsed
  set: (value: number) => void
  unit?: string | undefined
  help?: string | undefined
}

export function NumberField({ label, value, parse, set, unit, help }: FieldProps) {
  const id = useId()
  const [text, setText] = useState(value)
  const [wrong, setWrong] = useState('')
  useEffect(() => {
    setText(value)
    setWrong('')
  }, [value])
  const commit = () => {
    const parsed = parse(text)
    setWrong(parsed.ok ? '' : parsed.message)
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
          onInput={(event) => setText(event.currentTarget.value)}
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
