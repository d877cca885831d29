/** Bytes of a link: little-endian base-128 numbers, texts with their length in front, a checksum at the end. */
import { InvalidInput } from './validation'

const encoder = new TextEncoder()

export class ByteWriter {
  private readonly bytes: number[] = []

  /** 0 to 2^53 - 1. */
  count(value: number): void {
    let rest = value
    while (rest >= 128) {
      this.bytes.push((rest % 128) + 128)
      rest = Math.floor(rest / 128)
    }
    this.bytes.push(rest)
  }

  text(value: string): void {
    const bytes = encoder.encode(value)
    this.count(bytes.length)
    for (const byte of bytes) this.bytes.push(byte)
  }

  /** Any finite number, in 8 bytes. */
  real(value: number): void {
    const bytes = new Uint8Array(8)
    new DataView(bytes.buffer).setFloat64(0, value, true)
    this.bytes.push(...bytes)
  }

  hex(digits: string): void {
    for (let k = 0; k < digits.length; k += 2) this.bytes.push(Number.parseInt(digits.slice(k, k + 2), 16))
  }

  /** A part with a tag and its length in front. */
  section(tag: number, fill: (part: ByteWriter) => void): void {
    const part = new ByteWriter()
    fill(part)
    this.count(tag)
    this.count(part.bytes.length)
    for (const byte of part.bytes) this.bytes.push(byte)
  }

  /** The bytes so far, followed by their checksum. */
  seal(): Uint8Array<ArrayBuffer> {
    const sum = checksum(Uint8Array.from(this.bytes))
    return Uint8Array.from([...this.bytes.slice(0), sum & 255, (sum >>> 8) & 255, (sum >>> 16) & 255, sum >>> 24])
  }
}

export class ByteReader {
  private at = 0

  private constructor(private readonly bytes: Uint8Array) {}

  /** Checks and takes off the checksum. */
  static open(sealed: Uint8Array): ByteReader {
    const end = sealed.length - 4
    if (end < 1) throw new InvalidInput('it is cut short')
    const bytes = sealed.subarray(0, end)
    const sum = new DataView(sealed.buffer, sealed.byteOffset + end, 4).getUint32(0, true)
    if (sum !== checksum(bytes)) throw new InvalidInput('its checksum does not match')
    return new ByteReader(bytes)
  }

  count(): number {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte()
      value += (byte & 127) * scale
      if (!Number.isSafeInteger(value)) throw new InvalidInput('a number in it is too large')
      if (byte < 128) return value
    }
  }

  text(): string {
    const length = this.count()
    if (length > this.bytes.length - this.at) throw new InvalidInput('a text in it is cut short')
    const bytes = this.bytes.subarray(this.at, this.at + length)
    this.at += length
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    } catch {
      throw new InvalidInput('a text in it is not UTF-8')
    }
  }

  real(): number {
    const bytes = Uint8Array.from({ length: 8 }, () => this.byte())
    return new DataView(bytes.buffer).getFloat64(0, true)
  }

  hex(digits: number): string {
    let text = ''
    while (text.length < digits) text += this.byte().toString(16).padStart(2, '0')
    return text
  }

  /** The next part, or null at the end. */
  section(): { tag: number; part: ByteReader } | null {
    if (this.at === this.bytes.length) return null
    const tag = this.count()
    const length = this.count()
    if (length > this.bytes.length - this.at) throw new InvalidInput('a part of it is cut short')
    const part = new ByteReader(this.bytes.subarray(this.at, this.at + length))
    this.at += length
    return { tag, part }
  }

  end(): void {
    if (this.at !== this.bytes.length) throw new InvalidInput('it holds more than it should')
  }

  private byte(): number {
    const byte = this.bytes[this.at]
    if (byte === undefined) throw new InvalidInput('it is cut short')
    this.at += 1
    return byte
  }
}

/** FNV-1a, 32 bits: finds damage, not malice. */
function checksum(bytes: Uint8Array): number {
  let sum = 0x811c9dc5
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193)
  return sum >>> 0
}
