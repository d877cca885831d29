/** Where the browser keeps what is to be there on another visit. */
export type Box = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/** How the keys of the page's entries begin, whatever its version. */
export const KEPT = 'arenascope.v'

/** The browser's own; null where it is forbidden. */
export function boxOf(which: 'localStorage' | 'sessionStorage'): Storage | null {
  try {
    return typeof window === 'undefined' ? null : window[which]
  } catch {
    return null
  }
}

/** Whether any version of the page has kept something in the box. */
export function hasKept(box: Box): boolean {
  try {
    return Array.from({ length: box.length }, (_, k) => box.key(k) ?? '').some((key) => key.startsWith(KEPT))
  } catch {
    return false
  }
}
