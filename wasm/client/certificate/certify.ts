/** Certificates: a run that writes why there is no plan, or none that is lower, and the checker, which shares nothing with the solvers. */
import { decodeDiagnostics } from '../decode'
import { type Call, type Exports, Module, memoryError, type Outputs } from '../module'
import { ALIGN_BY, ClientError, GOALS, type ProfileSpec, type RunConfig } from '../types'

/** A run that has ended, to be taken again from its start: the budget is the steps that it took. */
export interface CertificateTask {
  csv: string
  profile: ProfileSpec | null
  config: RunConfig
}

/** proven: bytes within which there is no plan, as the checker has found; -1: nothing is proven. */
export interface Certificate {
  proven: number
  text: Blob
}

export type CertificateNews =
  | { kind: 'progress'; steps: number; bytes: number }
  | { kind: 'checking' }
  | { kind: 'made'; certificate: Certificate }
  | { kind: 'failed'; message: string }

/** Steps between two looks at the clock, milliseconds between two pieces of news, and bytes of a certificate that is not too long for here. */
const STEPS = 2000
const PAUSE = 100
const MOST = 256 * 2 ** 20
const TOO_LONG = 'It is longer than 256 MiB. The command writes it: arenascope solve --proof=FILE.'

/** One module with the problem in it. */
class Opened {
  private readonly module: Module

  constructor(exports: Exports, { csv, profile }: CertificateTask) {
    this.module = new Module(exports)
    const { alignment = 1, alignBy = 'offset', bank = 0, mayCross = true } = profile ?? {}
    this.call('glue_profile', alignment, ALIGN_BY.indexOf(alignBy), mayCross ? 0 : bank)
    this.module.input(new TextEncoder().encode(csv))
    this.call('glue_read')
    while ((this.call('glue_read_step', 1e6, 0).numbers(2, 1)[0] ?? 0) !== 0);
    this.call('glue_open')
  }

  input(bytes: Uint8Array): void {
    this.module.input(bytes)
  }

  call(name: Call, ...args: number[]): Outputs {
    const status = this.module.call(name, ...args)
    const out = this.module.outputs()
    if (status === 0) return out
    const [first] = decodeDiagnostics(out).errors
    if (first === undefined) throw memoryError()
    throw new ClientError(`${first.field} ${first.message}`.trim(), 'argument')
  }

  free(): void {
    this.module.free()
  }
}

function write(on: Opened, config: RunConfig, tell: (news: CertificateNews) => void): Uint8Array<ArrayBuffer>[] {
  const words = [config.solver, ...Object.entries(config.options).flat()].map((word) => `${word}\0`).join('')
  on.input(new TextEncoder().encode(words))
  const goal = GOALS.indexOf(config.goal ?? 'fit')
  const pieces = [on.call('glue_certify', goal, config.capacity, config.seed, config.budget).textBytes()]
  let bytes = pieces[0]?.length ?? 0
  let told = performance.now()
  for (;;) {
    const out = on.call('glue_certify_step', STEPS)
    const [more = 0, steps = 0] = out.numbers(0, 2)
    const piece = out.textBytes()
    pieces.push(piece)
    bytes += piece.length
    if (bytes > MOST) throw new ClientError(TOO_LONG, 'argument')
    if (more === 0) return pieces
    if (performance.now() - told < PAUSE) continue
    told = performance.now()
    tell({ kind: 'progress', steps, bytes })
  }
}

/** What the checker says of the text, of the problem read anew. */
export function check(exports: Exports, task: CertificateTask, text: Uint8Array): number {
  const on = new Opened(exports, task)
  on.input(text)
  const [proven = -1] = on.call('glue_check_proof').numbers(0, 1)
  on.free()
  return proven
}

function joined(pieces: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** Blocks until it is made and checked. fresh: instances of the whole module, one to search and one to check. */
export function certify(
  fresh: () => Exports,
  task: CertificateTask,
  tell: (news: CertificateNews) => void,
): Certificate {
  const on = new Opened(fresh(), task)
  const whole = joined(write(on, task.config, tell))
  on.free()
  tell({ kind: 'checking' })
  const proven = check(fresh(), task, whole)
  return { proven, text: new Blob([whole], { type: 'text/plain;charset=utf-8' }) }
}
