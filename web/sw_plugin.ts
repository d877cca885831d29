/**
 * Two things that only the finished build can know: the service worker, which keeps exactly the files of this build, and the
 * content security policy, which a development server could not live under.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** What other pages show of this one: it never shows it itself. */
const PREVIEW = 'preview.png'

/** Larger than all the rest, and wanted by few: kept once it has been asked for. */
const ASKED = /\bhighs\b[^/]*\.wasm$|\bcp_sat_runtime\b/

/** Solvers of OR-Tools that the page never calls: their package brings them beside CP-SAT, 150 MB of them. */
const NEVER = /_runtime(?<!\bcp_sat_runtime)(_asyncify)?-[^/]*$|\bcp_sat_runtime_asyncify-/

/** Cache first: a page once loaded never asks the network again until a new build has been put in place as a whole. */
function serviceWorker(version: string, files: string[], asked: string[]): string {
  return `const CACHE = 'arenascope-${version}'
const FILES = ${JSON.stringify(['./', ...files])}
const ASKED = ${JSON.stringify(asked)}
self.addEventListener('install', (event) => {
  const fresh = FILES.map((file) => new Request(file, { cache: 'reload' }))
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)))
})
self.addEventListener('activate', (event) => {
  const old = (name) => name.startsWith('arenascope-') && name !== CACHE
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  )
})
self.addEventListener('message', (event) => {
  if (event.data === 'take over') self.skipWaiting()
})
self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET' || !request.url.startsWith(self.registration.scope)) return
  const docs = request.url.startsWith(self.registration.scope + 'docs/')
  const wanted = request.mode === 'navigate' && !docs ? './' : request
  const answer = async () => {
    const cache = await caches.open(CACHE)
    const kept = await cache.match(wanted, { ignoreSearch: true, ignoreVary: true })
    if (kept) return kept
    const fresh = await fetch(request)
    const keep = ASKED.some((file) => new URL(file, self.registration.scope).href === request.url)
    if (keep && fresh.ok) await cache.put(request, fresh.clone())
    return fresh
  }
  event.respondWith(answer())
})
`
}

function publicFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
}

/** Writes sw.js with the names of all files of the build; its version is a digest of their contents. */
export function offline(): Plugin {
  let folder = ''
  return {
    name: 'arenascope-offline',
    apply: 'build',
    configResolved(config) {
      folder = config.publicDir
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const name of Object.keys(bundle)) if (NEVER.test(name)) delete bundle[name]
        const digest = createHash('sha256')
        const made = Object.values(bundle).sort((a, b) => (a.fileName < b.fileName ? -1 : 1))
        for (const file of made) digest.update(file.fileName).update(file.type === 'chunk' ? file.code : file.source)
        const still = publicFiles(folder)
        for (const name of still) digest.update(name).update(readFileSync(join(folder, name)))
        const names = [...made.map((file) => file.fileName), ...still]
        const kept = names.filter(
          (name) => name !== 'index.html' && name !== PREVIEW && !/\.(map|woff|txt)$/.test(name),
        )
        const files = (some: boolean) => kept.filter((name) => ASKED.test(name) === some).map((name) => `./${name}`)
        this.emitFile({
          type: 'asset',
          fileName: 'sw.js',
          source: serviceWorker(digest.digest('hex').slice(0, 16), files(false), files(true)),
        })
      },
    },
  }
}

export function contentPolicy(): Plugin {
  return {
    name: 'arenascope-content-policy',
    apply: 'build',
    transformIndexHtml: () => [
      { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY }, injectTo: 'head-prepend' },
    ],
  }
}
