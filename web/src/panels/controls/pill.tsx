import type { OutcomeId } from '../../../../wasm/client/types'
import { useValue } from '../../base/use_value'
import { manifest } from '../../state/atoms'
import { I, type IconName } from './icons'

export type PillTone = 'ok' | 'why' | 'plain' | 'now' | 'order' | 'bound' | 'hatless' | 'learned'

export function Pill({ tone, icon, text }: { tone: PillTone; icon?: IconName | undefined; text: string }) {
  return (
    <span class={`pill pill-${tone}`}>
      {icon !== undefined && <I name={icon} />}
      {text}
    </span>
  )
}

/** Only a finished proof may look like one: the undecided outcomes are neither green nor red. */
const TONES: Partial<Record<OutcomeId, PillTone>> = { feasible: 'ok', optimal: 'ok', infeasible: 'why' }

export function outcomeTone(outcome: string): PillTone {
  return TONES[outcome as OutcomeId] ?? 'plain'
}

export function OutcomePill({ outcome, title }: { outcome: string; title?: string | undefined }) {
  const known = useValue(manifest)
  const tone = outcomeTone(outcome)
  const text = title ?? known?.outcomes.find((info) => info.id === outcome)?.title ?? outcome
  return <Pill tone={tone} icon={tone === 'ok' ? 'tick' : tone === 'why' ? 'cross' : undefined} text={text} />
}
