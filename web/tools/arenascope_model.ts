/** The command as it is built: one file, the core inside. */
import core from '../../build/wasm/core.wasm?url&inline'
import { main } from './model'

process.exitCode = await main(
  process.argv.slice(2),
  () => new Uint8Array(Buffer.from(core.slice(core.indexOf(',') + 1), 'base64')),
  {
    out: (content) => process.stdout.write(content),
    err: (line) => process.stderr.write(`${line}\n`),
  },
)
