/** A modal sheet over the page: focus stays inside, Esc and a click beside it close it. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useActions } from '../page/context'
import { I } from './icons'

interface DialogProps {
  title: string
  wide?: boolean
  /** without a head: its contents say what it is */
  bare?: boolean
  children: ComponentChildren
}

export function Dialog({ title, wide = false, bare = false, children }: DialogProps) {
  const actions = useActions()
  const host = useRef<HTMLDialogElement>(null)
  /** a text that is being selected may be let go of beside the sheet: only what began there closes it */
  const beside = useRef(false)
  const close = () => actions.page.openDialog('none')
  useEffect(() => {
    const dialog = host.current
    const before = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click beside the sheet; keys close it through Esc
    <dialog
      ref={host}
      class={`dialog${wide ? ' dialog-wide' : ''}${bare ? ' dialog-bare' : ''}`}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onPointerDown={(event) => {
        beside.current = event.target === host.current
      }}
      onClick={(event) => {
        if (event.target === host.current && beside.current) close()
      }}
    >
      <div class="dialog-body">
        {!bare && (
          <header class="dialog-head">
            <h2>{title}</h2>
            <button type="button" class="icon-button" aria-label="Close" onClick={close}>
              <I name="close" />
            </button>
          </header>
        )}
        {children}
      </div>
    </dialog>
  )
}
