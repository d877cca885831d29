/** A button that asks for a file. */
import { useRef } from 'preact/hooks'

interface FileButtonProps {
  label: string
  class: string
  accept: string
  /** one file, or several where they belong together */
  take: (files: File[]) => void
  many?: boolean
  /** instead of files a folder, with all that is in it */
  folder?: boolean
}

export function FileButton({ label, class: className, accept, take, many = false, folder = false }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" class={className} onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={input}
        type="file"
        multiple={many}
        {...(folder ? { webkitdirectory: true } : {})}
        hidden
        tabIndex={-1}
        aria-label={label}
        accept={accept}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])]
          event.currentTarget.value = ''
          if (files.length > 0) take(files)
        }}
      />
    </>
  )
}
