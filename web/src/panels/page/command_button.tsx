import type { ComponentChildren } from 'preact'
import { Cell } from '../../base/cell'
import { useValue } from '../../base/use_value'
import { I, type IconName } from '../controls/icons'
import { commandNamed, keyOf } from './commands'
import { useActions } from './context'

const ALWAYS = new Cell(true)

/** A command as a button in words: those of its label, if no others are given. */
export function CommandText(props: { name: string; class: string; children?: ComponentChildren }) {
  const actions = useActions()
  const command = commandNamed(props.name)
  const can = useValue(command.when ?? ALWAYS)
  return (
    <button type="button" class={props.class} disabled={!can} onClick={() => command.do(actions)}>
      {props.children ?? command.label}
    </button>
  )
}

interface CommandButtonProps {
  name: string
  icon?: IconName
  class?: string
  /** another name than the command's label */
  label?: string
  /** what it does now, instead of what the command always does */
  hint?: string | undefined
  /** why it cannot be done, '' if it can */
  off?: string
  children?: ComponentChildren
}

/** A button that does what a command of the table does, under its name and with its key. */
export function CommandButton(props: CommandButtonProps) {
  const actions = useActions()
  const command = commandNamed(props.name)
  const can = useValue(command.when ?? ALWAYS)
  const on = useValue(command.on ?? ALWAYS)
  const { off = '', label = command.label, hint = command.hint ?? command.label } = props
  const key = keyOf(command)
  const title = `${hint}${key === '' ? '' : ` (${key})`}`
  return (
    <button
      type="button"
      class={props.class ?? 'icon-button'}
      aria-label={label}
      aria-pressed={command.on === undefined ? undefined : on}
      title={off || title}
      disabled={off !== '' || !can}
      onClick={() => command.do(actions)}
    >
      {props.icon && <I name={props.icon} />}
      {props.children}
    </button>
  )
}
