/** The rules that discard decisions, as the core's table defines them, in the words of the page. */
import type { RuleInfo } from '../../../../wasm/client/types'

/** "MiniMalloc 6.2, eq. 3" -> "MiniMalloc §6.2, eq. 3"; what no paper names follows from the problem. */
export function cited(source: string): string {
  return source === '' ? 'A constraint of the problem' : source.replace(/(?<!eq\. )\b\d+(\.\d+)*/g, '§$&')
}

/** "Section bound": the title as a heading. */
export const headed = ({ title }: RuleInfo): string => title.charAt(0).toUpperCase() + title.slice(1)
