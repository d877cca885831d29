/** Shapes that say what became of a run, where there is no room for words. */
import type { CellOutcome } from '../../state/compare/results'

export type Glyph = 'disc' | 'cross' | 'triangle' | 'square' | 'ring'

/** Hue says which solver, shape what became of it. */
export function glyphOf(outcome: CellOutcome): Glyph {
  if (outcome === 'optimal' || outcome === 'feasible') return 'disc'
  if (outcome === 'infeasible') return 'cross'
  if (outcome === 'over-capacity' || outcome === 'exhausted') return 'triangle'
  return outcome === 'budget-spent' ? 'square' : 'ring'
}

const GLYPHS: [Glyph, string][] = [
  ['disc', 'solved'],
  ['cross', 'proven infeasible'],
  ['triangle', 'exhausted or over capacity'],
  ['square', 'budget spent'],
  ['ring', 'not finished'],
]

/** Centred on 0, 0. */
export function GlyphMark({ glyph, x = 0, y = 0 }: { glyph: Glyph; x?: number; y?: number }) {
  const at = `translate(${x.toFixed(1)} ${y.toFixed(1)})`
  switch (glyph) {
    case 'disc':
      return <circle class="glyph glyph-full" transform={at} r={4} />
    case 'cross':
      return <path class="glyph" transform={at} d="M-3.6-3.6 3.6 3.6M3.6-3.6-3.6 3.6" />
    case 'triangle':
      return <path class="glyph" transform={at} d="M0-4.6 4.4 3.4H-4.4Z" />
    case 'square':
      return <path class="glyph" transform={at} d="M-3.6-3.6H3.6V3.6H-3.6Z" />
    case 'ring':
      return <circle class="glyph glyph-dashed" transform={at} r={4} />
  }
}

export function GlyphKey() {
  return (
    <ul class="glyph-key">
      {GLYPHS.map(([glyph, text]) => (
        <li key={glyph}>
          <GlyphIcon glyph={glyph} />
          {text}
        </li>
      ))}
    </ul>
  )
}

export function GlyphIcon({ glyph }: { glyph: Glyph }) {
  return (
    <svg viewBox="-7 -7 14 14" width="14" height="14" aria-hidden="true">
      <GlyphMark glyph={glyph} />
    </svg>
  )
}
