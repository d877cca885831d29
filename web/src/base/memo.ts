/** Remembers the last result; computes again only when an argument is another one (by identity). */
export function memo<A extends readonly unknown[], T>(compute: (...args: A) => T): (...args: A) => T {
  let last: A | null = null
  let value: T
  return (...args) => {
    const known = last
    if (known === null || args.length !== known.length || args.some((arg, k) => !Object.is(arg, known[k]))) {
      value = compute(...args)
      last = args
    }
    return value
  }
}
