import { visible } from '../../base/format'

/** Texts that one tool wrote beside each other, as one under the name of the first. */
export function joined(files: readonly File[]): File {
  return new File(
    files.flatMap((file) => [file, '\n']),
    visible(files[0]?.name ?? ''),
  )
}
