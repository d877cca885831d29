/** Where the browser keeps what is to be there on another visit. */
export type Box = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/** All keys of this page; those that end in a space begin the keys of entries. */
export const KEYS = {
  /** what the page works with */
  page: 'arenascope.v2 ',
  /** how far the reader has come in the lessons */
  lessons: 'arenascope.lessons.v2 ',
  /** what is chosen in the mode that compares */
  compare: 'arenascope.compare.v1',
  /** the first page was left */
  visited: 'arenascope visited',
}

/** The browser's own; null where it is forbidden. */
export function boxOf(which: 'localStorage' | 'sessionStorage'): Storage | null {
  try {
    return typeof window === 'undefined' ? null : window[which]
  } catch {
    return null
  }
}

/** What is kept under a key; null: nothing, or it is forbidden to ask. */
export function textIn(box: Pick<Box, 'getItem'> | null, key: string): string | null {
  try {
    return box?.getItem(key) ?? null
  } catch {
    return null
  }
}

/** A full or forbidden storage is lived with. */
export function keepText(box: Pick<Box, 'setItem'> | null, key: string, text: string): void {
  try {
    box?.setItem(key, text)
  } catch {}
}

/** Whether an earlier visit has kept something in the box. */
export function hasKept(box: Box): boolean {
  try {
    return Array.from({ length: box.length }, (_, k) => box.key(k) ?? '').some((key) => key.startsWith(KEYS.page))
  } catch {
    return false
  }
}
