/** Small geometry shared by layout, draw and input. Canvas units are CSS pixels, y down. */

export interface Rect {
  x: number
  y: number
  w: number
  h: number
}

/** x limited to [lo, hi]; lo for NaN, so that a bad number never reaches a canvas. */
export function clamp(x: number, lo: number, hi: number): number {
  return x > lo ? (x < hi ? x : hi) : lo
}

export function lerp(a: number, b: number, t: number): number {
  return a + (b - a) * t
}

/** Nearest half pixel of the device: a 1 px line centred there is sharp. */
export function snap(x: number, dpr = 1): number {
  return (Math.floor(x * dpr) + 0.5) / dpr
}

export function contains(r: Rect, x: number, y: number): boolean {
  return x >= r.x && x < r.x + r.w && y >= r.y && y < r.y + r.h
}

export function overlaps(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
}

/** a moved, not resized, so that it lies inside b (its near corner wins if it is larger). */
export function kept(a: Rect, b: Rect): Rect {
  const x = Math.max(b.x, Math.min(a.x, b.x + b.w - a.w))
  const y = Math.max(b.y, Math.min(a.y, b.y + b.h - a.h))
  return { x, y, w: a.w, h: a.h }
}
