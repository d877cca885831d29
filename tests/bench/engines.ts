/** Engines of WASM, each of which runs what it is asked: Node of any version, Chromium, Firefox. */
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchChromium, launchFirefox } from '../e2e/support/browser'
import { serve } from '../e2e/support/server'
import type { Asked, Told } from './engine_runs'

export interface Engine {
  /** with its version */
  name: string
  run(asked: Asked): Promise<Told>
  stop(): Promise<unknown>
}

function answerOf(child: ChildProcess, asked: string | Asked): Promise<Told> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error(`${child.spawnfile} ended`))
    child.once('exit', ended)
    child.once('message', (told) => {
      child.off('exit', ended)
      resolve(told as Told)
    })
    child.send(asked)
  })
}

async function node(program: string, script: string, wasm: string): Promise<Engine> {
  const child = fork(script, { execPath: program })
  await answerOf(child, wasm)
  const v8 = execFileSync(program, ['-p', 'process.versions.v8'], { encoding: 'utf8' }).split('-')[0]
  const name = `Node ${execFileSync(program, ['--version'], { encoding: 'utf8' }).trim()}, V8 ${v8}`
  return { name, run: (asked) => answerOf(child, asked), stop: async () => child.kill() }
}

/** Alone with its worker, so that the clock is fine. */
const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
}

const ask = (page: Page, asked: string | Asked): Promise<Told> =>
  page.evaluate(
    (asked) =>
      new Promise<Told>((resolve, reject) => {
        const at = globalThis as unknown as { worker?: Worker }
        at.worker ??= new Worker('engine_runs.js', { type: 'module' })
        at.worker.onmessage = ({ data }) => resolve(data)
        at.worker.onerror = ({ message }) => reject(new Error(message))
        at.worker.postMessage(asked)
      }),
    asked,
  )

async function browser(launch: typeof launchChromium, script: string, wasm: string): Promise<Engine> {
  const folder = dirname(script)
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>runs</title>')
  const [host, started] = [await serve(folder, '/', ISOLATED), await launch()]
  const stop = () => Promise.all([started.close(), host.close()])
  try {
    const page = await started.newPage()
    await page.goto(host.url)
    await ask(page, wasm)
    const name = `${started.browserType().name()} ${started.version()}`
    return { name, run: (asked) => ask(page, asked), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** which: "chromium", "firefox", or a program of Node; script: engine_runs as a bundle; wasm: the module in base 64 */
export function engine(which: string, script: string, wasm: string): Promise<Engine> {
  if (which === 'chromium') return browser(launchChromium, script, wasm)
  if (which === 'firefox') return browser(launchFirefox, script, wasm)
  return node(which, script, wasm)
}
