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
  await bundleAll({ [basename(output)]: entry }, dirname(output), { external })
}

/**
 * entries: names of files to be made in the folder, with their sources; what they share comes beside them. alias: others in the
 * place of modules.
 */
export async function bundleAll(entries, folder, { external = [], alias = [], minify = false } = {}) {
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    resolve: { alias },
    // what was built runs anywhere
    ssr: { noExternal: true, external },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      copyPublicDir: false,
      target: 'node20',
      minify,
      rollupOptions: {
        input: entries,
        output: { format: 'es', entryFileNames: '[name]', chunkFileNames: '[name].js' },
      },
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
