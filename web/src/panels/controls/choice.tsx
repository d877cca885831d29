/** One of a few, by name: a label and a list, as forms have them. */
import { useId } from 'preact/hooks'

interface PickProps<T extends string> {
  label: string
  value: T
  choices: readonly (readonly [id: T, title: string])[]
  set: (value: T) => void
}

export function Pick<T extends string>({ label, value, choices, set }: PickProps<T>) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <span class="field-box">
        <select
          id={id}
          value={value}
          onChange={(event) => {
            const chosen = choices.find(([name]) => name === event.currentTarget.value)
            if (chosen !== undefined) set(chosen[0])
          }}
        >
          {choices.map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </span>
    </div>
  )
}

/** Yes or no. */
export function Tick({ label, value, set }: { label: string; value: boolean; set: (value: boolean) => void }) {
  return (
    <label class="check">
      <input type="checkbox" checked={value} onChange={(event) => set(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  )
}
