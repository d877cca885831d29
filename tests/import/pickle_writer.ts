/** Pickles of plain data, as Python's protocols 0, 1 and 4 write them; texts that come again are named again. */
export type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain }

/** Protocol 0 writes letters and ends lines, 1 has the same with bytes for what is short. */
function old(value: Plain, binary: boolean): Uint8Array {
  const bytes: number[] = []
  const memo = new Map<string, number>()
  let kept = 0
  const say = (text: string) => {
    for (const letter of text) bytes.push(letter.charCodeAt(0))
  }
  const little = (number: number) => {
    for (let k = 0; k < 4; k++) bytes.push((number >>> (8 * k)) & 255)
  }
  const put = () => {
    if (!binary) say(`p${kept}\n`)
    else if (kept < 256) bytes.push(0x71, kept)
    else {
      bytes.push(0x72)
      little(kept)
    }
    return kept++
  }
  const text = (t: string) => {
    const before = memo.get(t)
    if (before !== undefined) {
      if (!binary) say(`g${before}\n`)
      else if (before < 256) bytes.push(0x68, before)
      else {
        bytes.push(0x6a)
        little(before)
      }
      return
    }
    if (binary) {
      const encoded = new TextEncoder().encode(t)
      bytes.push(0x58)
      little(encoded.length)
      bytes.push(...encoded)
    } else say(`V${t}\n`)
    memo.set(t, put())
  }
  const write = (one: Plain): void => {
    if (one === null) say('N')
    else if (typeof one === 'boolean') say(`I0${Number(one)}\n`)
    else if (typeof one === 'number')
      say(Number.isInteger(one) ? (one < 2 ** 31 ? `I${one}\n` : `L${one}L\n`) : `F${one}\n`)
    else if (typeof one === 'string') text(one)
    else if (Array.isArray(one)) {
      say(binary ? ']' : '(l')
      put()
      if (binary) say('(')
      for (const item of one) {
        write(item)
        if (!binary) say('a')
      }
      if (binary) say('e')
    } else {
      say(binary ? '}' : '(d')
      put()
      if (binary) say('(')
      for (const [key, item] of Object.entries(one)) {
        write(key)
        write(item)
        if (!binary) say('s')
      }
      if (binary) say('u')
    }
  }
  write(value)
  say('.')
  return Uint8Array.from(bytes)
}

export function pickle(value: Plain, protocol: 0 | 1 | 4 = 4): Uint8Array {
  if (protocol < 4) return old(value, protocol === 1)
  const bytes: number[] = [0x80, 4]
  const memo = new Map<string, number>()
  let kept = 0
  const little = (number: bigint, length: number) => {
    for (let k = 0; k < length; k++) bytes.push(Number((number >> BigInt(8 * k)) & 0xffn))
  }
  const memoize = () => {
    bytes.push(0x94)
    return kept++
  }
  const number = (n: number) => {
    if (!Number.isInteger(n)) {
      const view = new DataView(new ArrayBuffer(8))
      view.setFloat64(0, n)
      bytes.push(0x47, ...new Uint8Array(view.buffer))
    } else if (n >= 0 && n < 256) bytes.push(0x4b, n)
    else if (n >= 0 && n < 65536) bytes.push(0x4d, n & 255, n >> 8)
    else if (n >= -(2 ** 31) && n < 2 ** 31) {
      bytes.push(0x4a)
      little(BigInt(n), 4)
    } else {
      bytes.push(0x8a, 8)
      little(BigInt(n), 8)
    }
  }
  const text = (t: string) => {
    const before = memo.get(t)
    if (before !== undefined) {
      bytes.push(...(before < 256 ? [0x68, before] : [0x6a]))
      if (before >= 256) little(BigInt(before), 4)
      return
    }
    const encoded = new TextEncoder().encode(t)
    if (encoded.length < 256) bytes.push(0x8c, encoded.length)
    else {
      bytes.push(0x58)
      little(BigInt(encoded.length), 4)
    }
    bytes.push(...encoded)
    memo.set(t, memoize())
  }
  const write = (one: Plain): void => {
    if (one === null) bytes.push(0x4e)
    else if (typeof one === 'boolean') bytes.push(one ? 0x88 : 0x89)
    else if (typeof one === 'number') number(one)
    else if (typeof one === 'string') text(one)
    else if (Array.isArray(one)) {
      bytes.push(0x5d)
      memoize()
      bytes.push(0x28)
      for (const item of one) write(item)
      bytes.push(0x65)
    } else {
      bytes.push(0x7d)
      memoize()
      bytes.push(0x28)
      for (const [key, item] of Object.entries(one)) {
        write(key)
        write(item)
      }
      bytes.push(0x75)
    }
  }
  write(value)
  bytes.push(0x2e)
  return Uint8Array.from(bytes)
}
