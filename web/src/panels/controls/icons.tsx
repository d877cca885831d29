/** Icons on a grid of 16, drawn with a stroke of 1.4; decorative, the control beside them carries the name. */
import type { ComponentChildren } from 'preact'

function Icon({ children }: { children: ComponentChildren }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      {children}
    </svg>
  )
}

export function Logo() {
  return (
    <svg class="mark" viewBox="0 0 18 16" width="18" height="16" aria-hidden="true" focusable="false">
      <path class="mark-line" d="M0 2.5h18" />
      <rect class="mark-a" x="1" y="10" width="16" height="4" />
      <rect class="mark-b" x="1" y="5" width="6" height="4" />
      <rect class="mark-c" x="9" y="5" width="7" height="4" />
    </svg>
  )
}

const paths = {
  link: 'M6.6 9.4 9.4 6.6M7.2 4.6l1.6-1.6a2.9 2.9 0 0 1 4.2 4.2l-1.6 1.6M8.8 11.4l-1.6 1.6A2.9 2.9 0 0 1 3 8.8l1.6-1.6',
  save: 'M8 2.5v7.5M5 7.2 8 10.2l3-3M2.8 12v1.7h10.4V12',
  theme: 'M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2ZM8 2.2v11.6',
  find: 'M6.8 2.6a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4ZM10 10l3.6 3.6',
  minus: 'M3 8h10',
  plus: 'M3 8h10M8 3v10',
  fit: 'M6 2.5V6H2.5M10 2.5V6h3.5M13.5 10H10v3.5M6 13.5V10H2.5',
  present: 'M2.5 3h11v7.5h-11ZM8 10.5v3M5.2 13.5h5.6M6.9 5.2 9.6 6.8 6.9 8.4Z',
  start: 'M3.5 3v10M12.5 3.5 6 8l6.5 4.5Z',
  back: 'M10.5 3.5 5 8l5.5 4.5Z',
  step: 'M5.5 3.5 11 8l-5.5 4.5Z',
  end: 'M12.5 3v10M3.5 3.5 10 8l-6.5 4.5Z',
  lastBacktrack: 'M13 3.5v3.7a2 2 0 0 1-2 2H3.5M6.3 6.2l-3 3 3 3',
  nextBacktrack: 'M3 3.5v3.7a2 2 0 0 0 2 2h7.5M9.7 6.2l3 3-3 3',
  jump: 'M2.8 10.5a5.2 5.2 0 0 1 10.2-1.4M13.2 5.4v3.9H9.3M2.8 13.2h1.6',
  down: 'M4.5 6.5 8 10l3.5-3.5',
  into: 'M6.5 4.5 10 8l-3.5 3.5',
  outOf: 'M9.5 4.5 6 8l3.5 3.5',
  up: 'M4.5 9.5 8 6l3.5 3.5',
  close: 'M4 4l8 8M12 4l-8 8',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  cross: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
  tick: 'M3.5 8.5l3 3 6-7',
  bars: 'M4 4.5h8M4 8h8M4 11.5h8',
  order: 'M3.5 5h9L8 12Z',
  cap: 'M4 12V5h8v7',
  place: 'M3.5 8h9v4.5h-9ZM8 2.5v3.8',
  diamond: 'M8 3l5 5-5 5-5-5Z',
  waste: 'M3.5 12.5h9M3.5 4.5h9M8 10.5V6.2M6 8l2-2 2 2',
  restart: 'M12.6 6.2A5 5 0 1 0 13 8.6M12.8 2.8v3.6H9.2',
  ruler: 'M2.2 10.8 10.8 2.2l3 3-8.6 8.6ZM5 8l1.5 1.5M7.5 5.5 9 7',
  holes: 'M2.8 13.2V8.5h3.4v4.7M9.8 13.2V4.5h3.4v8.7M6.2 13.2h3.6M6.4 11.6l3-3M6.4 8.6 9.6 5.4',
  flag: 'M4 14V2.5M4 3h8.5L10 6l2.5 3H4',
  undo: 'M6 3 2.8 6.2 6 9.4M3 6.2h6.4a3.6 3.6 0 0 1 0 7.2H6',
  redo: 'M10 3l3.2 3.2L10 9.4M13 6.2H6.6a3.6 3.6 0 0 0 0 7.2H10',
  edit: 'M3 13l.7-3.1 7.2-7.2 2.4 2.4-7.2 7.2L3 13ZM9.4 4.2l2.4 2.4',
  columns: 'M2.6 3h4.2v10H2.6ZM9.2 3h4.2v10H9.2Z',
  more: 'M3.4 8h.01M8 8h.01M12.6 8h.01',
  book: 'M8 4.2C6.6 3.2 4.8 2.9 2.5 3v9.2c2.3-.1 4.1.2 5.5 1.2 1.4-1 3.2-1.3 5.5-1.2V3C11.2 2.9 9.4 3.2 8 4.2ZM8 4.2v9.2',
  info: 'M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2ZM8 7.2v3.8M8 5h.01',
  pause: 'M5.2 3.5v9M10.8 3.5v9',
} as const

export type IconName = keyof typeof paths | 'play' | 'help'

export function I({ name }: { name: IconName }) {
  if (name === 'play') {
    return (
      <Icon>
        <path class="filled" d="M4.5 2.8 13 8l-8.5 5.2Z" />
      </Icon>
    )
  }
  if (name === 'help') {
    return (
      <Icon>
        <path d="M5.8 5.7a2.2 2.2 0 1 1 3.3 1.9c-.7.4-1.1.9-1.1 1.7v.4M8 12.3v.4" />
      </Icon>
    )
  }
  return (
    <Icon>
      <path d={paths[name]} />
    </Icon>
  )
}
