import { main } from './model'

/** A process that is the command, by the name under which it is called. wasm: the core. */
export async function runAs(program: string, wasm: () => Uint8Array<ArrayBuffer>): Promise<void> {
  process.exitCode = await main(process.argv.slice(2), wasm, {
    program,
    out: (content) => process.stdout.write(content),
    err: (line) => process.stderr.write(`${line}\n`),
  })
}
