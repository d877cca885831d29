import { fileURLToPath } from 'node:url'
import preact from '@preact/preset-vite'
import { defineConfig } from 'vitest/config'
import { MEASURED, Shards } from './test_shards.ts'
import { thirdParties } from './notices_plugin.ts'
import { contentPolicy, offline } from './sw_plugin.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('..', import.meta.url))

/** Where the page will stand, with a slash at its end: whoever shows a preview of it asks for a whole address. */
const site = process.env.ARENASCOPE_SITE ?? './'
const previewAddress = {
  name: 'arenascope-preview',
  transformIndexHtml: {
    order: 'post' as const,
    handler: (html: string) => html.replace('./preview.png', `${site}preview.png`),
  },
}

/** What every view of the page is written in. Asked for with the scripts, they are there before the first words, which then need not move. */
const LETTERS = /\/(ibm-plex-(sans-latin-400|mono-latin-[45]00)|source-serif-4-latin-wght)-normal\b[^/]*\.woff2$/
const fontsFirst = {
  name: 'arenascope-fonts',
  transformIndexHtml: {
    order: 'post' as const,
    handler: (_: string, { bundle }: { bundle?: object }) => {
      const files = Object.keys(bundle ?? {}).filter((file) => LETTERS.test(`/${file}`))
      if (bundle && files.length !== 4) throw new Error(`the page is not written in ${files.join(', ') || 'nothing'}`)
      return files.map((file) => ({
        tag: 'link',
        injectTo: 'head' as const,
        attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `./${file}` },
      }))
    },
  },
}

/**
 * Tests of what keeps no state, or no other's: they share their modules, which is half the work. Any other file of the page's tests, and what sees the
 * page without the words that come later, has modules of its own.
 */
const stateless = [
  'tests/web/{base,canvas,compare,figure,papers,problem,tree}/*.test.ts',
  'tests/web/step/!(sentence).test.ts',
]
/** Tests of parts of the page that take the place of a module. The others share theirs. */
const replacing = ['tests/web/{compare/background_work,lesson/reader,marks/hindsight_panel}.test.tsx']
/** One file after the other; the queue begins them before all others, which are `nice`. */
const measured = [`tests/e2e/${MEASURED}**/*.e2e.ts`]
const driven = {
  environment: 'node',
  testTimeout: 180_000,
  hookTimeout: 120_000,
  // what is seen to come may take as long as what is waited for; a second is little on a busy machine, where all takes some four times as long
  expect: { poll: { timeout: 30_000 } },
  // of hundreds of tests in a real browser on a shared machine, one a day is late; Vitest says which were tried again
  retry: 1,
  // a file keeps nothing but its own browser; to load Playwright again for each takes longer than a visit
  isolate: false,
}

export default defineConfig({
  root: here,
  // relative, so that the page works from any sub-path of a static host
  base: './',
  plugins: [preact(), contentPolicy(), thirdParties(root), offline(), previewAddress, fontsFirst],
  cacheDir: `${root}build/vite`,
  // HiGHS asks for it in Node alone
  worker: { format: 'es' as const, rolldownOptions: { external: ['node:module'] } },
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    target: 'es2022',
    // an inlined WASM would be a third larger and could not be compiled while it streams
    assetsInlineLimit: 0,
    // what is fetched later is fetched whole and while idle: there is no chain of imports to shorten
    modulePreload: false,
    // all that the first view needs in one piece: small shared pieces pack worse and are one more request each
    // the first page likewise: of many pieces, each is asked for once the one before it has been read
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 1 },
            { name: 'first_race', test: /\/(panels|run)\/race\/first_race\.tsx?$/ },
          ],
        },
      },
    },
  },
  server: { fs: { allow: [root] } },
  preview: { host: '127.0.0.1' },
  test: {
    sequence: { sequencer: Shards },
    projects: [
      {
        extends: true as const,
        root,
        test: {
          name: 'unit',
          environment: 'node',
          include: ['web/src/**/*.test.ts', 'tests/web/**/*.test.ts'],
          exclude: stateless,
          testTimeout: 60_000,
          // each file has modules of its own: a thread begins with less work than a process
          pool: 'threads',
        },
      },
      {
        extends: true as const,
        root,
        test: {
          name: 'unit-shared',
          environment: 'node',
          include: stateless,
          testTimeout: 60_000,
          isolate: false,
          // what comes later and nobody waits for must have come before the environment goes
          setupFiles: ['tests/web/support/settled.ts'],
        },
      },
      {
        extends: true as const,
        root,
        test: {
          name: 'unit-core',
          environment: 'node',
          include: ['wasm/**/*.test.ts', 'tests/{wasm,cli,import,zoo}/**/*.test.ts'],
          testTimeout: 60_000,
          // unlike the page's, these modules keep no state
          isolate: false,
        },
      },
      {
        extends: true as const,
        root,
        test: {
          name: 'package',
          environment: 'node',
          include: ['tests/package/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true as const,
        root,
        test: {
          name: 'dom',
          environment: 'happy-dom',
          include: ['tests/web/**/*.test.tsx'],
          exclude: replacing,
          testTimeout: 60_000,
          pool: 'threads',
          isolate: false,
        },
      },
      {
        extends: true as const,
        root,
        test: { name: 'dom-alone', environment: 'happy-dom', include: replacing, testTimeout: 60_000 },
      },
      {
        extends: true as const,
        root,
        test: {
          ...driven,
          name: 'e2e',
          include: ['tests/e2e/**/*.e2e.ts'],
          exclude: measured,
        },
      },
      {
        extends: true as const,
        root,
        test: {
          ...driven,
          name: 'e2e-alone',
          include: measured,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true as const,
        root,
        test: { name: 'campaign', environment: 'node', include: ['tests/campaign/**/*.test.ts'], hookTimeout: 120_000 },
      },
      {
        extends: true as const,
        root,
        test: { name: 'soak', environment: 'node', include: ['tests/soak/**/*.test.ts'], hookTimeout: 120_000 },
      },
    ],
  },
})
