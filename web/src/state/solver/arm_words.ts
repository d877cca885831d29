/** An arm of the exact solver told in words: where its restart is told, not with the page. */
import type { Arm } from './arms'

/** Two sentences, three of an arm on piles or boxes. */
export function inWords(arm: Arm): string {
  const first =
    arm.look === ''
      ? `the candidate of the ${arm.order[0]}`
      : `the candidate that wastes the least scarce slack${arm.look === 'H' ? ' in its lifespan' : ''}`
  const ties = arm.mirrored ? ', ties to the right' : ''
  const piles = arm.glued ? ' Most buffers of one lifespan lie on each other, so that it finds but never proves.' : ''
  const boxes = arm.boxed
    ? ' Buffers that may be one rectangle, by lifespans and sizes, are placed as one, so that it finds but never proves.'
    : ''
  return `It asks the section with ${arm.score}${ties}. There it tries ${first} first.${piles}${boxes}`
}
