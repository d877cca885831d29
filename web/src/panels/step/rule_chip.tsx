/** A rule's name. What it says and who says so come with the pointer, with the focus, or with a tap. */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { RuleInfo } from '../../../../wasm/client/types'
import { cited, headed } from '../../state/solver/rules'
import { fateLook } from './fates'
import { I } from '../controls/icons'
import '../../styles/later'

const WIDTH = 264
const MARGIN = 8

type Place = { left: number; top?: number; bottom?: number }

/** Inside the window, on the side of the chip that has more room. */
function beside(chip: HTMLElement): Place {
  const box = chip.getBoundingClientRect()
  const left = Math.max(MARGIN, Math.min(box.left, window.innerWidth - WIDTH - MARGIN))
  const below = box.bottom < window.innerHeight / 2
  return below ? { left, top: box.bottom + 6 } : { left, bottom: window.innerHeight - box.top + 6 }
}

/** A tap holds it open until the next one, wherever that is. */
function useHold(chip: { current: HTMLElement | null }) {
  const [over, setOver] = useState(false)
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (!held) return
    const leave = (event: Event) => {
      if (!(event.target instanceof Node) || !chip.current?.contains(event.target)) setHeld(false)
    }
    document.addEventListener('pointerdown', leave, true)
    return () => document.removeEventListener('pointerdown', leave, true)
  }, [held])
  const close = () => {
    setOver(false)
    setHeld(false)
  }
  return { open: over || held, held, setOver, setHeld, close }
}

export function RuleChip({ rule }: { rule: RuleInfo }) {
  const id = useId()
  const chip = useRef<HTMLButtonElement>(null)
  const { open, held, setOver, setHeld, close } = useHold(chip)
  const [icon, tone] = fateLook(rule.id)
  const place = open && chip.current !== null ? beside(chip.current) : null
  const style = Object.fromEntries(Object.entries(place ?? {}).map(([side, value]) => [side, `${value}px`]))
  return (
    <span class="rule-host">
      <button
        ref={chip}
        type="button"
        class="rule-chip"
        aria-describedby={id}
        onPointerEnter={(event) => event.pointerType !== 'touch' && setOver(true)}
        onPointerLeave={() => setOver(false)}
        onFocus={() => setOver(true)}
        onBlur={() => setOver(false)}
        onClick={() => setHeld(!held)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !open) return
          close()
          event.stopPropagation()
          event.preventDefault()
        }}
      >
        <span class={`fate fate-${tone}`}>
          <I name={icon} />
        </span>
        {rule.title}
      </button>
      <span id={id} role="tooltip" class="tooltip rule-tip" hidden={place === null} style={style}>
        <b>{headed(rule)}</b>
        <span class="rule-source">{cited(rule.source)}</span>
        <span class="rule-text">{rule.text}</span>
      </span>
    </span>
  )
}
