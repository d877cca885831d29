/** The command of both packages where arenascope-models is there. */
import { readFileSync } from 'node:fs'
import { runAs } from '../streams'

await runAs('npx arenascope', () => new Uint8Array(readFileSync(new URL('./core.wasm', import.meta.url))))
