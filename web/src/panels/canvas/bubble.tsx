/** What every tooltip is made of. */
import type { ComponentChildren } from 'preact'

const WIDTH = 216
const MARGIN = 14

export function Row({ name, value, title }: { name: string; value: string; title?: string }) {
  return (
    <div class="fact" title={title}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

/** It follows the pointer, keeps inside the window, and never takes a click. */
export function Bubble({
  x,
  y,
  title,
  children,
}: {
  x: number
  y: number
  title: string
  children: ComponentChildren
}) {
  const right = x + MARGIN + WIDTH > window.innerWidth
  const below = y < window.innerHeight / 2
  const style = {
    left: `${right ? x - MARGIN - WIDTH : x + MARGIN}px`,
    top: below ? `${y + MARGIN}px` : 'auto',
    bottom: below ? 'auto' : `${window.innerHeight - y + MARGIN}px`,
  }
  return (
    <div class="tooltip" role="tooltip" style={style}>
      <p class="tooltip-id mono">{title}</p>
      <dl class="facts">{children}</dl>
    </div>
  )
}
