#!/usr/bin/env node
// How long a large ONNX model takes to import, and how much memory: in Node, and in Chromium through the page's import worker.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { build, preview } from 'vite'
import { bundle, ROOT } from '../../wasm/bench/bundle.mjs'
import { writeBigOnnx } from './big_onnx.mjs'

const USAGE = 'usage: import_bench.mjs [--mib=200] [--repeat=5] [--chromium=PATH]\n'
const MIB = 1 << 20
const SAMPLE_MS = 10

/** MiB in memory of a process and all that it started. */
function memory(root) {
  const parents = new Map()
  const resident = new Map()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      parents.set(Number(pid), Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]))
      // of anonymous memory alone: shared libraries would be counted once a process
      resident.set(Number(pid), Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0))
    } catch {
      // ended meanwhile
    }
  }
  const under = (pid) => pid === root || (parents.has(pid) && under(parents.get(pid)))
  return [...resident].reduce((sum, [pid, size]) => sum + (under(pid) ? size : 0), 0) / 1024
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1]

async function inNode(model, repeat) {
  const output = join(ROOT, 'build', 'import_node.mjs')
  await bundle(join(ROOT, 'web', 'tools', 'import_node.ts'), output)
  const { measure } = await import(pathToFileURL(output).href)
  const runs = Array.from({ length: repeat }, () => measure(model))
  const [{ operators, read }] = runs
  console.log(
    `Node:     ${median(runs.map((run) => run.milliseconds)).toFixed(0)} ms, ${operators} operators, ${(read / MIB).toFixed(1)} MiB read`,
  )
}

/** The page with the bench in it, built as the page is. */
async function serve(folder) {
  await build({
    root: join(ROOT, 'web', 'tools'),
    configFile: false,
    logLevel: 'error',
    base: './',
    worker: { format: 'es' },
    build: {
      outDir: folder,
      emptyOutDir: true,
      rollupOptions: { input: join(ROOT, 'web', 'tools', 'import_page.ts'), output: { entryFileNames: 'page.js' } },
    },
  })
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><input type="file"><script type="module" src="page.js"></script>',
  )
  return preview({
    configFile: false,
    root: folder,
    logLevel: 'error',
    build: { outDir: '.' },
    preview: { port: 0, host: '127.0.0.1' },
  })
}

async function inChromium(model, repeat, executablePath) {
  const folder = mkdtempSync(join(tmpdir(), 'arenascope-page-'))
  const host = await serve(folder)
  const server = await chromium.launchServer({ executablePath, args: ['--disable-gpu'] })
  const browser = await chromium.connect(server.wsEndpoint())
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${host.httpServer.address().port}/`)
    await page.setInputFiles('input', model)
    const runs = []
    const { pid } = server.process()
    for (let k = 0; k < repeat; k++) {
      const before = memory(pid)
      let most = before
      const timer = setInterval(() => {
        most = Math.max(most, memory(pid))
      }, SAMPLE_MS)
      const run = await page.evaluate(() => window.measureImport(document.querySelector('input')))
      clearInterval(timer)
      runs.push({ ...run, more: most - before })
    }
    console.log(
      `Chromium: ${median(runs.map((run) => run.milliseconds)).toFixed(0)} ms (first ${runs[0].milliseconds.toFixed(0)} ms), ${runs[0].operators} operators, at most ${Math.max(...runs.map((run) => run.more)).toFixed(0)} MiB of memory more`,
    )
  } finally {
    await browser.close()
    await server.close()
    await host.close()
    rmSync(folder, { recursive: true })
  }
}

function options() {
  try {
    const { values } = parseArgs({
      options: {
        mib: { type: 'string', default: '200' },
        repeat: { type: 'string', default: '5' },
        chromium: { type: 'string', default: process.env.CHROMIUM ?? '/usr/bin/chromium' },
      },
    })
    return { mib: Number(values.mib), repeat: Number(values.repeat), executable: values.chromium }
  } catch (error) {
    process.stderr.write(`import_bench.mjs: ${error.message}\n${USAGE}`)
    process.exit(2)
  }
}

const { mib, repeat, executable } = options()
const folder = mkdtempSync(join(tmpdir(), 'arenascope-import-'))
try {
  const model = join(folder, 'big.onnx')
  const operators = writeBigOnnx(model, mib)
  console.log(`${mib} MiB of weights, ${operators} operators, median of ${repeat}`)
  await inNode(model, repeat)
  if (existsSync(executable)) await inChromium(model, repeat, executable)
  else console.log(`Chromium: left out, there is no ${executable}`)
} finally {
  rmSync(folder, { recursive: true })
}
