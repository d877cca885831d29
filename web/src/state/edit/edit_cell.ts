/** A cell of the buffers' table as people type it: what it says, or what is wrong with it, naming the field in the core's words. */
import { thousands, visible } from '../../base/format'
import type { Column } from './csv_places'
import { MAX_BYTES, parseBytes, parseCount } from '../page/quantity'

export type Typed = { ok: true; value: number | string | null } | { ok: false; message: string }

/** What the other cells of the row and the other rows say. */
export interface Beside {
  lower: number
  upper: number
  alignment: number
  /** of the pools that there are */
  pools: readonly string[]
  /** another buffer has this id */
  taken: (id: string) => boolean
}

const bad = (message: string): Typed => ({ ok: false, message: visible(message) })

function amount(column: Column, text: string, least: number): Typed {
  if (least === 0 && /^0+$/.test(text)) return { ok: true, value: 0 }
  const parsed = parseBytes(text)
  return parsed.ok ? parsed : bad(`${column} is “${text}”, ${parsed.message}`)
}

function time(column: Column, text: string): Typed {
  const parsed = parseCount(text, -MAX_BYTES, MAX_BYTES)
  return parsed.ok ? parsed : bad(`${column} is “${text}”, expected a whole number`)
}

function id(text: string, taken: Beside['taken']): Typed {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no id may have
  if (/[\u0000-\u001f\u007f]/.test(text)) return bad('id has a control character, expected none')
  const bytes = new TextEncoder().encode(text).length
  if (bytes === 0 || bytes > 255) return bad(`id has ${bytes} bytes, expected 1 to 255`)
  return taken(text) ? bad(`id “${text}” is already used`) : { ok: true, value: text }
}

function offset(text: string, alignment: number): Typed {
  const typed = amount('offset', text, 0)
  if (!typed.ok || typeof typed.value !== 'number' || typed.value % alignment === 0) return typed
  return bad(`offset is ${thousands(typed.value)}, expected a multiple of alignment, ${thousands(alignment)}`)
}

function pool(text: string, pools: readonly string[]): Typed {
  if (pools.includes(text)) return { ok: true, value: text }
  const names = pools.filter((name) => name !== '').map((name) => `“${name}”`)
  return bad(`pool is “${text}”, expected ${names.join(', ')} or nothing for the main one`)
}

/** Empty: an alignment of 1, an offset that is not fixed, the main pool, all of the size all the time. */
export function readCell(column: Column, typed: string, beside: Beside): Typed {
  const text = typed.trim()
  switch (column) {
    case 'id':
      return id(text, beside.taken)
    case 'lower': {
      const read = time(column, text)
      if (!read.ok || Number(read.value) < beside.upper) return read
      return bad(`lower is ${thousands(Number(read.value))}, expected less than upper, ${thousands(beside.upper)}`)
    }
    case 'upper': {
      const read = time(column, text)
      if (!read.ok || Number(read.value) > beside.lower) return read
      return bad(`upper is ${thousands(Number(read.value))}, expected more than lower, ${thousands(beside.lower)}`)
    }
    case 'size':
      return amount(column, text, 0)
    case 'alignment':
      return text === '' ? { ok: true, value: null } : amount(column, text, 1)
    case 'offset':
      return text === '' ? { ok: true, value: null } : offset(text, beside.alignment)
    case 'pool':
      return text === '' ? { ok: true, value: null } : pool(text, beside.pools)
    case 'shape':
      // the core, which reads the text after every change, says what is wrong with it
      return { ok: true, value: text === '' ? null : text }
  }
}
