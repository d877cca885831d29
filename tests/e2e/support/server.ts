/** A plain static host: files of one folder under a sub-path, no headers but the type unless told. */
import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

/** Where there is a page without anything, of the same origin. */
export const EMPTY = '/an-empty-page'

export interface Host {
  /** of the page, with the sub-path, ending in "/" */
  url: string
  /** paths asked for that do not exist */
  missing: string[]
  close(): Promise<void>
}

/** headers: besides the type */
export async function serve(folder: string, base: string, headers: Record<string, string> = {}): Promise<Host> {
  const missing: string[] = []
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname)
    if (path === EMPTY) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end('<!doctype html><title>nothing</title><link rel="icon" href="data:,">')
      return
    }
    const inside = path.startsWith(base) ? normalize(path.slice(base.length) || 'index.html') : ''
    try {
      if (inside === '' || inside.startsWith('..')) throw new Error('outside of the sub-path')
      const bytes = await readFile(join(folder, inside))
      response.writeHead(200, { ...headers, 'content-type': TYPES[extname(inside)] ?? 'application/octet-stream' })
      response.end(bytes)
    } catch {
      missing.push(path)
      response.writeHead(404, { 'content-type': 'text/plain' })
      response.end('not found')
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${base}`,
    missing,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
