/** Numbers that only look random: the same on every machine. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** a whole number from 0 to before n */
  below(n: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0
    return Math.floor((this.#state / 2 ** 32) * n)
  }

  /** a whole number from a to b */
  from(a: number, b: number): number {
    return a + this.below(b - a + 1)
  }

  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }

  list(count: number, a: number, b: number): number[] {
    return Array.from({ length: count }, () => this.from(a, b))
  }
}
