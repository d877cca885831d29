/** The command as it is built: one file, the core inside. */
import core from '../../build/wasm/core.wasm?url&inline'
import { runAs } from './streams'

await runAs('arenascope-model', () => new Uint8Array(Buffer.from(core.slice(core.indexOf(',') + 1), 'base64')))
