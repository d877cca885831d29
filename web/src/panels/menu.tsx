/** A button that opens a list of choices: arrows move, Esc and a click elsewhere close. */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface MenuItem {
  key: string
  title: string
  note?: string
  disabled?: boolean
  act: () => void
}

function move(list: HTMLElement | null, by: number): void {
  const items = [...(list?.querySelectorAll<HTMLElement>('[role=menuitem]:not([disabled])') ?? [])]
  const at = items.indexOf(document.activeElement as HTMLElement)
  items[(at + by + items.length) % items.length]?.focus()
}

export function Menu(props: {
  label: ComponentChildren
  name: string
  class: string
  align?: 'left' | 'right'
  items: MenuItem[]
}) {
  const [open, setOpen] = useState(false)
  const host = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (!open) return
    list.current?.querySelector<HTMLElement>('[role=menuitem]:not([disabled])')?.focus()
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && host.current?.contains(event.target) !== true) setOpen(false)
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [open])
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const onKey = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Escape') close()
    else if (event.key === 'Tab') setOpen(false)
    else if (by !== 0) move(list.current, by)
    else return
    if (event.key !== 'Tab') event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div class="menu" ref={host}>
      <button
        ref={button}
        type="button"
        class={props.class}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={props.name}
        onClick={() => setOpen(!open)}
      >
        {props.label}
      </button>
      {open && (
        <div
          ref={list}
          class={`menu-list menu-${props.align ?? 'left'}`}
          role="menu"
          aria-label={props.name}
          onKeyDown={onKey}
          tabIndex={-1}
        >
          {props.items.map((item) => (
            <button
              key={item.key}
              type="button"
              role="menuitem"
              tabIndex={-1}
              disabled={item.disabled ?? false}
              onClick={(event) => {
                if (event.detail > 0) setOpen(false)
                else close()
                item.act()
              }}
            >
              <span>{item.title}</span>
              {item.note !== undefined && <span class="menu-note">{item.note}</span>}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
