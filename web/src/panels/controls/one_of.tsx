/** A few words of which one holds. */
export function Choice<T extends string | boolean>(props: {
  name: string
  now: T
  choices: readonly (readonly [NoInfer<T>, string])[]
  set: (value: T) => void
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame of its own
    <span class="choices" role="group" aria-label={props.name}>
      <span class="dim">{props.name}</span>
      {props.choices.map(([value, title]) => (
        <button
          key={title}
          type="button"
          class="quiet-button"
          aria-pressed={value === props.now}
          onClick={() => props.set(value)}
        >
          {title}
        </button>
      ))}
    </span>
  )
}
