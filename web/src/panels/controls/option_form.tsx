/** A form made from a table of options: the solver's, or those by which a graph is lowered. */
import { useId, useLayoutEffect, useState } from 'preact/hooks'
import type { SolverOption } from '../../../../wasm/client/types'
import { thousands } from '../../base/format'
import { parseCount } from '../../state/page/quantity'
import { NumberField } from './field'

interface OptionProps {
  option: SolverOption
  value: string
  set: (name: string, value: string) => void
}

function Check({ option, value, set }: OptionProps) {
  return (
    <label class="check" title={option.help}>
      <input
        type="checkbox"
        checked={value === 'true'}
        onChange={(event) => set(option.name, event.currentTarget.checked ? 'true' : 'false')}
      />
      <span>{option.title}</span>
    </label>
  )
}

function Choice({ option, value, set }: OptionProps) {
  const id = useId()
  return (
    <div class="field" title={option.help}>
      <label for={id}>{option.title}</label>
      <span class="field-box">
        <select id={id} value={value} onChange={(event) => set(option.name, event.currentTarget.value)}>
          {option.choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      </span>
    </div>
  )
}

function Text({ option, value, set }: OptionProps) {
  const id = useId()
  const [text, setText] = useState(value)
  useLayoutEffect(() => setText(value), [value])
  const commit = () => set(option.name, text.trim())
  return (
    <div class="field" title={option.help}>
      <label for={id}>{option.title}</label>
      <span class="field-box">
        <input
          id={id}
          type="text"
          class="mono"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit()
          }}
        />
      </span>
    </div>
  )
}

function Whole({ option, value, set }: OptionProps) {
  return (
    <NumberField
      label={option.title}
      value={thousands(Number(value))}
      parse={(text) => parseCount(text, option.min, option.max)}
      set={(v) => set(option.name, String(v))}
      help={option.help}
    />
  )
}

const FORMS = { bool: Check, choice: Choice, text: Text, int: Whole } as const

export interface OptionFormProps {
  /** of the table: fields of another table are other fields, even under the same name */
  id: string
  options: SolverOption[]
  /** changed from the defaults */
  values: Record<string, string>
  set: (name: string, value: string) => void
}

/** Switches first, then what has a value. */
export function OptionForm({ id, options, values, set }: OptionFormProps) {
  const checks = options.filter((option) => option.type === 'bool')
  const others = options.filter((option) => option.type !== 'bool')
  const current = (option: SolverOption) => values[option.name] ?? option.initial
  return (
    <>
      {checks.length > 0 && (
        <div class="checks">
          {checks.map((option) => (
            <Check key={option.name} option={option} value={current(option)} set={set} />
          ))}
        </div>
      )}
      {others.map((option) => {
        const Form = FORMS[option.type]
        return <Form key={`${id} ${option.name}`} option={option} value={current(option)} set={set} />
      })}
    </>
  )
}
