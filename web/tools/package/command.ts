/** The command of the package arenascope: that of arenascope-models where it is installed, else it solves CSVs of buffers alone. */
import { readFileSync } from 'node:fs'
import { solveBuffers } from './buffers_command'

// named by a value, so that bundling leaves it where it is
const MODELS = 'arenascope-models/command'
const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND'

const models: unknown = await import(/* @vite-ignore */ MODELS).catch((error: unknown) => {
  if (isMissing(error)) return null
  throw error
})
if (models === null)
  process.exitCode = await solveBuffers(
    process.argv.slice(2),
    () => new Uint8Array(readFileSync(new URL('./core.wasm', import.meta.url))),
    (line) => process.stdout.write(`${line}\n`),
    (line) => process.stderr.write(`${line}\n`),
  )
