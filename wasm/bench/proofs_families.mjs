/** Problems whose sections are all but full, drawn from a number: what is hard to refute. */

/** splitmix32: the next of n, each as likely. */
export function random(seed) {
  let state = seed
  return (n) => {
    state = (state + 0x9e3779b9) | 0
    let z = state ^ (state >>> 16)
    z = Math.imul(z, 0x21f0aaad)
    z ^= z >>> 15
    z = Math.imul(z, 0x735a2d97)
    return ((z ^ (z >>> 15)) >>> 0) % n
  }
}

/** Sizes of `amount` in all, each about two to seven grains, but for what is left at the end. */
function cut(pick, amount, grain) {
  const sizes = []
  const noise = grain >> 2
  for (let left = amount; left > 0; left -= sizes.at(-1)) {
    const size = Math.min(left, grain * (2 + pick(6)) + pick(2 * noise + 1) - noise)
    sizes.push(left - size <= grain ? left : size)
  }
  return sizes
}

/**
 * About `count` buffers, `idle` units of the capacity left by those alive at each time: at each boundary one to four end, and others take as much.
 * alignments: of which each buffer has one, each as likely. Returns {capacity, buffers: [{lower, upper, size, alignment}]}.
 */
export function fullProblem(seed, count, idle, alignments = [1]) {
  const pick = random(seed)
  const grain = 1 + 2 * idle
  const capacity = idle + grain * (14 + pick(14)) + pick(grain)
  const buffers = []
  const alive = []
  let now = 0
  const begin = (amount) => {
    for (const size of cut(pick, amount, grain))
      alive.push({ lower: now, size, alignment: alignments[pick(alignments.length)] })
  }
  const end = (k) => {
    const [gone] = alive.splice(k, 1)
    buffers.push({ ...gone, upper: now })
    return gone.size
  }
  begin(capacity - idle)
  while (buffers.length + alive.length < count) {
    now++
    let freed = 0
    for (let ends = 1 + pick(2); ends > 0 && alive.length > 1; ends--) freed += end(pick(alive.length))
    begin(freed)
  }
  now++
  while (alive.length > 0) end(0)
  return { capacity, buffers }
}

/** `amount` in at most so many pieces of all sizes. */
function pieces(pick, amount, count) {
  const ends = new Set([amount])
  for (let k = 1; k < Math.min(count, amount); k++) ends.add(1 + pick(amount))
  const sorted = [...ends].sort((a, b) => a - b)
  return sorted.map((end, k) => end - (sorted[k - 1] ?? 0))
}

/** About `count` buffers of all sizes, a dozen at a time, which leave `idle` bytes of the capacity (140 to 400): at each boundary about four end and as many begin. Returns the same. */
export function wideProblem(seed, count, idle) {
  const pick = random(seed)
  const load = 140 + pick(261)
  const some = () => 1 + pick(4) + pick(4)
  const buffers = []
  const alive = pieces(pick, load, 8 + pick(7)).map((size) => ({ lower: 0, size, alignment: 1 }))
  let now = 0
  while (buffers.length + alive.length < count) {
    now++
    let freed = 0
    for (let ends = Math.min(some(), alive.length); ends > 0; ends--) {
      const [gone] = alive.splice(pick(alive.length), 1)
      buffers.push({ ...gone, upper: now })
      freed += gone.size
    }
    alive.push(...pieces(pick, freed, some()).map((size) => ({ lower: now, size, alignment: 1 })))
  }
  now++
  buffers.push(...alive.map((left) => ({ ...left, upper: now })))
  return { capacity: load + idle, buffers }
}

/** Buffers of sizes and lifespans of any kind, as accelerators have them: alignments of 32, 64 and 128 bytes. Returns the same; the capacity is enough for all. */
export function alignedProblem(seed, count) {
  const pick = random(seed)
  const buffers = Array.from({ length: count }, () => {
    const lower = pick(count >> 1)
    return { lower, upper: lower + 1 + pick(count >> 2), size: 1 + pick(1 << (8 + pick(5))), alignment: 32 << pick(3) }
  })
  return { capacity: buffers.reduce((sum, { size }) => sum + size + 128, 0), buffers }
}

export const csvOf = ({ buffers }) =>
  `id,lower,upper,size,alignment\n${buffers.map((b, k) => `b${k},${b.lower},${b.upper},${b.size},${b.alignment}\n`).join('')}`
