import type { Exports, Source } from './host'
import { ClientError } from './types'

export type { Exports, Source }

/** Functions that return a status. */
export type Call = Exclude<
  keyof Exports,
  'memory' | '_initialize' | 'glue_session_new' | 'glue_session_free' | 'glue_input' | 'glue_out' | 'glue_bytes'
>

const OUT_OF_MEMORY = 'Out of memory: this needs more than the 1 GiB that a page gives the solver.'

export function memoryError(): ClientError {
  return new ClientError(OUT_OF_MEMORY, 'memory')
}

/** What a call left behind. Every array handed out is a copy: the next call may grow the heap and detach every view of it. */
export class Outputs {
  readonly numberCount: number
  readonly wordCount: number
  readonly #memory: Exports['memory']
  readonly #numbers: number
  readonly #words: number
  readonly #text: number
  readonly #textBytes: number

  constructor(memory: Exports['memory'], pointer: number) {
    const [numbers = 0, numberCount = 0, words = 0, wordCount = 0, text = 0, textBytes = 0] = new Uint32Array(
      memory.buffer,
      pointer,
      6,
    )
    this.#memory = memory
    this.#numbers = numbers
    this.numberCount = numberCount
    this.#words = words
    this.wordCount = wordCount
    this.#text = text
    this.#textBytes = textBytes
  }

  numbers(from: number, count: number): Float64Array<ArrayBuffer> {
    if (from + count > this.numberCount) throw new RangeError('more numbers were asked for than the module gave')
    return new Float64Array(this.#memory.buffer, this.#numbers + 8 * from, count).slice() as Float64Array<ArrayBuffer>
  }

  words(from: number, count: number): Uint32Array<ArrayBuffer> {
    if (from + count > this.wordCount) throw new RangeError('more words were asked for than the module gave')
    return new Uint32Array(this.#memory.buffer, this.#words + 4 * from, count).slice() as Uint32Array<ArrayBuffer>
  }

  text(): string {
    return new TextDecoder().decode(new Uint8Array(this.#memory.buffer, this.#text, this.#textBytes))
  }

  textBytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#memory.buffer, this.#text, this.#textBytes).slice() as Uint8Array<ArrayBuffer>
  }

  /** The text as the strings that it is made of, each of which ends with a NUL. */
  strings(): string[] {
    const text = this.text()
    return text === '' ? [] : text.slice(0, -1).split('\0')
  }
}

/** One instance of the core with one session. The only class that knows of pointers. */
export class Module {
  readonly #exports: Exports
  readonly #session: number

  /** Throws ClientError (memory). */
  constructor(exports: Exports) {
    this.#exports = exports
    // so that no file can be made whose ids all meet
    const [first = 0, second = 0] = crypto.getRandomValues(new Int32Array(2))
    this.#session = exports.glue_session_new(first, second) >>> 0
    if (this.#session === 0) throw memoryError()
  }

  /** Calls a function of the session and returns its status. */
  call(name: Call, ...args: number[]): number {
    const call = this.#exports[name] as ((session: number, ...args: number[]) => number) | undefined
    // of the npm package's two modules the smaller one knows neither graphs nor tiles
    if (call === undefined)
      throw new ClientError(`This module has no ${name}: models are solved by that of “arenascope-models”.`, 'argument')
    return call(this.#session, ...args)
  }

  has(name: Call): boolean {
    return this.#exports[name] !== undefined
  }

  /** Puts the arguments of the next call in place, one behind the other. Throws ClientError (memory). */
  input(...parts: (Uint8Array | Float64Array | Uint32Array)[]): void {
    const bytes = parts.reduce((sum, { byteLength }) => sum + byteLength, 0)
    let pointer = this.#exports.glue_input(this.#session, bytes) >>> 0
    if (pointer === 0) throw memoryError()
    for (const { buffer, byteOffset, byteLength } of parts) {
      new Uint8Array(this.#exports.memory.buffer, pointer, byteLength).set(
        new Uint8Array(buffer, byteOffset, byteLength),
      )
      pointer += byteLength
    }
  }

  outputs(): Outputs {
    return new Outputs(this.#exports.memory, this.#exports.glue_out(this.#session) >>> 0)
  }

  /** Bytes that the core holds, and the size of the heap. */
  memory(): { used: number; heap: number } {
    return { used: this.#exports.glue_bytes(this.#session), heap: this.#exports.memory.buffer.byteLength }
  }

  free(): void {
    this.#exports.glue_session_free(this.#session)
  }
}

/** The module imports nothing that does anything; a system call in it would be a defect and says so. */
function imports(module: WebAssembly.Module): WebAssembly.Imports {
  const made: Record<string, Record<string, () => unknown>> = {}
  for (const { module: space, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind !== 'function') throw new ClientError(`The solver module needs ${space}.${name}.`, 'protocol')
    made[space] ??= {}
    made[space][name] =
      name === 'emscripten_notify_memory_growth'
        ? () => undefined
        : () => {
            throw new WebAssembly.RuntimeError(`the solver module called ${space}.${name}`)
          }
  }
  return made
}

/** What is said where the module cannot be had; why: as the browser or the server puts it. */
function notFetched(why: string): ClientError {
  return new ClientError(`The solver’s file could not be fetched (${why}).`, 'protocol')
}

/** A module with one function, which gives a vector: an engine without them takes it for invalid. */
const VECTORS = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0], // a module
  ...[1, 5, 1, 96, 0, 1, 123], // a type: to a v128 from nothing
  ...[3, 2, 1, 0],
  ...[10, 8, 1, 6, 0, 65, 0, 253, 15, 11], // a body: i8x16.splat of 0
)

/** Fetches a module and compiles it. Rejects with a ClientError if it cannot be had, or the engine is too old for it. */
export async function fetchModule(url: URL): Promise<WebAssembly.Module> {
  if (!WebAssembly.validate(VECTORS))
    throw new ClientError(
      'The solvers need WebAssembly with SIMD, which this browser lacks: Chrome and Edge have it from 91 on, Firefox from 89, Safari from 16.4.',
      'protocol',
    )
  const answer = await fetch(url).catch((error: Error) => notFetched(error.message))
  if (answer instanceof Error) throw answer
  return compileModule(answer)
}

export async function compileModule(source: Source): Promise<WebAssembly.Module> {
  if (!(source instanceof Response)) return WebAssembly.compile(source)
  if (!source.ok) throw notFetched(String(source.status))
  // a plain static host may not know the type, and streaming insists on it
  const streams = source.headers.get('content-type') === 'application/wasm'
  return streams ? WebAssembly.compileStreaming(source) : WebAssembly.compile(await source.arrayBuffer())
}

/** Instantiates one of the modules. */
export async function loadExports(source: Source): Promise<Exports> {
  return instantiate(await compileModule(source))
}

export async function instantiate(module: WebAssembly.Module): Promise<Exports> {
  const instance = await WebAssembly.instantiate(module, imports(module))
  const exports = instance.exports as unknown as Exports
  exports._initialize()
  return exports
}
