/** The official Python package "onnx", where it is installed. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('./onnx_reference.py', import.meta.url))

/** A tensor's type and sides; null: unknown to it. */
export type Described = [number, (number | null)[] | null]
export type Inferred = Record<string, Described> | { error: string }

export const installed = spawnSync('python3', ['-c', 'import onnx']).status === 0

/** What it infers of each model. */
export function inferAll(models: readonly Uint8Array[]): Inferred[] {
  const folder = mkdtempSync(join(tmpdir(), 'arenascope-onnx-'))
  try {
    const names = models.map((_, i) => `${String(i).padStart(5, '0')}.onnx`)
    models.forEach((model, i) => {
      writeFileSync(join(folder, names[i] as string), model)
    })
    const text = execFileSync('python3', [script, folder], { encoding: 'utf8', maxBuffer: 1 << 28 })
    const made = JSON.parse(text) as Record<string, Inferred>
    return names.map((name) => made[name] as Inferred)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
