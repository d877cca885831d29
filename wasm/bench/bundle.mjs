import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')

/**
 * Bundles a TypeScript entry for Node, whose older versions run none themselves: the same client as the page's, without a page.
 * entry and output are paths of files; external: packages that are left where they are, found from the output.
 */
export async function bundle(entry, output, external = []) {
  await rm(output, { force: true })
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    // what was built runs anywhere
    ssr: { noExternal: true, external },
    build: {
      ssr: entry,
      outDir: dirname(output),
      emptyOutDir: false,
      copyPublicDir: false,
      target: 'node20',
      rollupOptions: { output: { format: 'es', entryFileNames: basename(output) } },
    },
  })
}

/** What a TypeScript file of this folder exports. */
export async function imported(name) {
  const folder = await mkdtemp(join(tmpdir(), 'arenascope-bundle-'))
  try {
    const script = join(folder, 'bundle.mjs')
    await bundle(join(ROOT, 'wasm/bench', name), script)
    return await import(pathToFileURL(script).href)
  } finally {
    await rm(folder, { recursive: true })
  }
}
