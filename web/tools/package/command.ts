/** The package's command. */
import { readFileSync } from 'node:fs'
import { runAs } from '../streams'

await runAs('npx arenascope', () => new Uint8Array(readFileSync(new URL('./core.wasm', import.meta.url))))
