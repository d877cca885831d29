/** The official Python package "onnx", where it is installed. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('./reference.py', import.meta.url))

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

/** The models that come with it, by their names. */
export function itsModels(): Map<string, Uint8Array> {
  const code = 'import os, onnx.backend.test as t; print(os.path.join(os.path.dirname(t.__file__), "data"))'
  const folder = execFileSync('python3', ['-c', code], { encoding: 'utf8' }).trim()
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.onnx'))
  return new Map(names.sort().map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))]))
}
