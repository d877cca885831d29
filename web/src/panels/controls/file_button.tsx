/** A button that asks for a file. */
import { useRef } from 'preact/hooks'

interface FileButtonProps {
  label: string
  class: string
  accept: string
  take: (file: File) => void
}

export function FileButton({ label, class: className, accept, take }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" class={className} onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        tabIndex={-1}
        aria-label={label}
        accept={accept}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          event.currentTarget.value = ''
          if (file !== undefined) take(file)
        }}
      />
    </>
  )
}
