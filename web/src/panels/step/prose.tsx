/** A sentence with its references: underlined, hoverable, each lights what it speaks of on the canvas. */
import type { ComponentChildren } from 'preact'
import { exactBytes, thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { unit, opened } from '../../state/workbench'
import { amountOf, type Span } from '../../state/step/sentence_parts'
import { useActions } from '../page/context'

type Named = Exclude<Span, { kind: 'text' }>

function Reference({ span }: { span: Named }) {
  const actions = useActions()
  const amounts = useValue(unit)
  const ids = useValue(opened)?.problem.ids
  const { buffers, section } = span.lights
  const on = () => actions.canvas.light(buffers, section)
  const off = () => actions.canvas.light([], -1)
  const text =
    span.kind === 'buffer'
      ? (ids?.at(span.buffer) ?? '?')
      : span.kind === 'bytes'
        ? amountOf(span, amounts)
        : thousands(span.kind === 'section' ? span.section : span.value)
  const title = span.kind === 'bytes' ? exactBytes(span.value) : undefined
  const one = buffers.length === 1 ? (buffers[0] ?? -1) : -1
  return (
    <button
      type="button"
      class={`ref ref-${span.tone}`}
      title={title}
      onPointerEnter={on}
      onPointerLeave={off}
      onFocus={on}
      onBlur={off}
      onClick={() => one >= 0 && actions.canvas.reveal(one)}
    >
      {text}
    </button>
  )
}

/** A stop or a comma must not begin a line: it is kept with the reference before it. */
function withStop(span: Named, next: Span | undefined, key: number): ComponentChildren {
  const stop = next?.kind === 'text' ? (/^[.,:;)]+/.exec(next.text)?.[0] ?? '') : ''
  if (stop === '') return <Reference key={key} span={span} />
  return (
    <span key={key} class="glue">
      <Reference span={span} />
      {stop}
    </span>
  )
}

export function Prose({ spans }: { spans: Span[] }) {
  return (
    <p class="prose">
      {spans.map((span, k) => {
        if (span.kind !== 'text') return withStop(span, spans[k + 1], k)
        return k === 0 || spans[k - 1]?.kind === 'text' ? span.text : span.text.replace(/^[.,:;)]+/, '')
      })}
    </p>
  )
}
