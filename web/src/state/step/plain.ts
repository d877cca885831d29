/** A sentence without its references: for what reads it aloud. */
import { type ByteUnit, thousands } from '../../base/format'
import { amountOf, type Span } from './sentence_parts'

export function plain(spans: readonly Span[], unit: ByteUnit, id: (buffer: number) => string): string {
  return spans
    .map((span) => {
      switch (span.kind) {
        case 'text':
          return span.text
        case 'buffer':
          return id(span.buffer)
        case 'bytes':
          return amountOf(span, unit)
        case 'section':
          return thousands(span.section)
        default:
          return thousands(span.value)
      }
    })
    .join('')
}
