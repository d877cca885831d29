/** Runs the native command, as a shell would. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { execute } from './small_shell'

export const root = resolve(import.meta.dirname, '../..')
const command = process.env.ARENASCOPE_COMMAND ?? join(root, 'build/native/arenascope')

export interface Answer {
  code: number | null
  out: string
  err: string
}

export function arenascope(args: string[], input = ''): Answer {
  const { status, stdout, stderr } = execute(command, args, input)
  return { code: status, out: stdout, err: stderr }
}

/** Runs a shell's script, in which "$@" is the command with its arguments. */
export function inShell(script: string, args: string[], input = ''): Answer {
  const { status, stdout, stderr } = execute('sh', ['-c', script, 'sh', command, ...args], input)
  return { code: status, out: stdout, err: stderr }
}

export interface Ended extends Answer {
  signal: string | null
}

interface Interruption {
  signal?: NodeJS.Signals
  /** A shell's script as for inShell, which should end in exec "$@". */
  script?: string
  /** Standard input stays open and silent, so it computes nothing. */
  waits?: boolean
  /** Its waiting for a disk counts, too. */
  byClock?: boolean
}

/** Clock ticks of the processor in a second, as Linux tells them to all programs. */
const TICKS = 100

/** Whether a process has got as far as to catch or ignore a signal, and has used so much of a processor. One that has ended has. */
function isReady(pid: number, signal: NodeJS.Signals, milliseconds: number): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return existsSync('/proc/self/stat')
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  const bit = 1n << BigInt(constants.signals[signal] - 1)
  const isHandled = ['SigCgt', 'SigIgn'].some((mask) => {
    const digits = new RegExp(`^${mask}:\\s*(\\w+)$`, 'm').exec(status)?.[1]
    return digits !== undefined && (BigInt(`0x${digits}`) & bit) !== 0n
  })
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return isHandled && ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS >= milliseconds
}

export interface Interrupted extends Ended {
  /** else it ended by itself before */
  sent: boolean
}

/**
 * Starts the command and interrupts it once it has computed so long, or so long by the clock after it minds the signal: a busy machine starts it late. One
 * that never minds it is killed after half a minute.
 */
export function interrupted(args: string[], milliseconds: number, how: Interruption = {}): Promise<Interrupted> {
  const signal = how.signal ?? 'SIGINT'
  const byClock = how.waits === true || how.byClock === true
  return new Promise((answer, fail) => {
    const all = ['-c', how.script ?? 'exec "$@"', 'sh', command, ...args]
    const child = spawn('sh', all, {
      stdio: [how.waits ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      timeout: 30_000,
      killSignal: 'SIGKILL',
    })
    const got = { out: '', err: '', sent: false }
    child.stdout?.on('data', (text: Buffer) => {
      got.out += text.toString()
    })
    child.stderr?.on('data', (text: Buffer) => {
      got.err += text.toString()
    })
    const send = () => {
      got.sent = child.kill(signal)
    }
    const look = setInterval(() => {
      try {
        if (!isReady(child.pid as number, signal, byClock ? 0 : milliseconds)) return
        setTimeout(send, byClock ? milliseconds : 0)
      } catch (error) {
        fail(error)
      }
      clearInterval(look)
    }, 5)
    child.on('close', (code, signal) => {
      clearInterval(look)
      answer({ code, signal, ...got })
    })
  })
}

export interface Summary {
  solver: string
  outcome: string
  ended: string
  capacity: number
  height: number | null
  upperBound: number | null
  lowerBound: number
  steps: number
  backtracks: number
  digest: string
  seconds: number
  buffers: number
  sections: number
  rules: Record<string, number>
  runs?: number
  proven?: number | null
  valid?: boolean
}

/** The one line that --json prints. */
export function solveJson(args: string[], input = ''): Summary & { code: number | null } {
  const answer = arenascope(['solve', '--json', ...args], input)
  const lines = answer.out.split('\n')
  if (lines.length !== 2 || lines[1] !== '') throw new Error(`not one line: ${answer.out}${answer.err}`)
  return { ...(JSON.parse(lines[0] ?? '') as Summary), code: answer.code }
}

export const folder = mkdtempSync(join(tmpdir(), 'arenascope-'))
export const example = (file: string) => join(root, 'examples', file)
export const read = (path: string) => readFileSync(path, 'utf8')
