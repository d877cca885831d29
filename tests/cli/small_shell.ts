/**
 * Runs programs from a small process. To start a program, Node copies the tables of all its memory: 12 ms for 300 MB, which is ten times what the
 * command itself takes. A shell that is started once has little to copy.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A job is read and run, and its exit code written back, until the one who asks is gone. No job may take a minute of the processor. */
const LOOP = `ulimit -t 60
exec 3<"$1/ask" 4>"$1/answer"
while read -r _ <&3; do
  . "$1/job"
  echo $? >&4
done
rm -rf "$1"`

interface Shell {
  folder: string
  ask: number
  answer: number
}

let shell: Shell | undefined

function begin(): Shell {
  const folder = mkdtempSync(join(tmpdir(), 'arenascope-shell-'))
  const { status, stderr } = spawnSync('mkfifo', [join(folder, 'ask'), join(folder, 'answer')], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`mkfifo: ${stderr}`)
  spawn('sh', ['-c', LOOP, 'sh', folder], { stdio: 'ignore' }).unref()
  // each waits until the shell opens its end
  return { folder, ask: openSync(join(folder, 'ask'), 'w'), answer: openSync(join(folder, 'answer'), 'r') }
}

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`

export interface Ended {
  /** null: a signal ended it. */
  status: number | null
  stdout: string
  stderr: string
}

/** Runs a program with arguments and standard input, and waits for its end. */
export function execute(program: string, args: readonly string[], input = ''): Ended {
  shell ??= begin()
  const at = (name: string) => quoted(join((shell as Shell).folder, name))
  const words = [program, ...args].map(quoted).join(' ')
  // by a pipe, as from another program
  const from = input === '' ? '' : `cat ${at('input')} | `
  if (input !== '') writeFileSync(join(shell.folder, 'input'), input)
  const empty = input === '' ? '</dev/null' : ''
  writeFileSync(join(shell.folder, 'job'), `${from}${words} ${empty} >${at('out')} 2>${at('err')} 3<&- 4>&-\n`)
  writeSync(shell.ask, '\n')
  const bytes = Buffer.alloc(8)
  const length = readSync(shell.answer, bytes)
  if (length === 0) throw new Error(`the shell has ended: ${words}`)
  const said = Number(bytes.toString('utf8', 0, length))
  const text = (name: string) => readFileSync(join((shell as Shell).folder, name), 'utf8')
  return { status: said > 128 ? null : said, stdout: text('out'), stderr: text('err') }
}
