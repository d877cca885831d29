import { visible } from '../../base/format'

/** Two texts that one tool wrote beside each other, as one. */
export function joined(one: File, other: File): File {
  return new File([one, '\n', other], visible(one.name))
}
