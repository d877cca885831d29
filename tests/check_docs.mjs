#!/usr/bin/env node
// Every link of the project's Markdown leads to a file, and every link of the built documentation to a page and a heading of it:
// node tests/check_docs.mjs [dist] | --self-test. Addresses of other sites are not asked.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const elsewhere = (href) => /^[a-z]+:/.test(href)

/** Links of a Markdown text that lead to no file; code is no link. */
export function deadInMarkdown(text, folder, exists = existsSync) {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '')
  const hrefs = [...prose.matchAll(/\]\(([^()\s]+)(?:\s"[^"]*")?\)/g)].map(([, href]) => href)
  return hrefs
    .filter((href) => !elsewhere(href) && !href.startsWith('#'))
    .filter((href) => {
      const path = href.split('#')[0]
      // pages of the site, which are checked there
      return !path.endsWith('.html') && !exists(normalize(join(folder, path)))
    })
}

/** Links of the pages of a folder that lead to no file or no heading, as "page: link". */
export function deadInSite(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.html'))
  const texts = new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
  const ids = new Map(
    [...texts].map(([name, text]) => [name, new Set([...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id))]),
  )
  return [...texts].flatMap(([name, text]) =>
    [...text.matchAll(/ href="([^"]*)"/g)]
      .map(([, href]) => href.replaceAll('&amp;', '&'))
      .filter((href) => !elsewhere(href))
      .filter((href) => {
        const [path, anchor] = href.split('#')
        const page = path === '' ? name : path
        if (!existsSync(join(folder, page))) return true
        return anchor !== undefined && ids.has(page) && !ids.get(page).has(decodeURIComponent(anchor))
      })
      .map((href) => `${name}: ${href}`),
  )
}

function selfTest() {
  const folder = mkdtempSync(join(tmpdir(), 'arenascope-docs-'))
  writeFileSync(
    join(folder, 'a.html'),
    '<h1 id="x"></h1><a href="b.html#y"></a><a href="#x"></a><a href="#z"></a><a href="c.html"></a><a href="https://x"></a>',
  )
  writeFileSync(join(folder, 'b.html'), '<h1 id="y"></h1><a href="a.html#y"></a>')
  const site = JSON.stringify(deadInSite(folder))
  rmSync(folder, { recursive: true })
  const text =
    '[a](there.md) [b](gone.md#x) `[c](code.md)` [d](https://x) [e](#e) [f](site.html)\n```\n[g](block.md)\n```\n'
  const files = JSON.stringify(deadInMarkdown(text, 'f', (path) => path === join('f', 'there.md')))
  const right = site === '["a.html: #z","a.html: c.html","b.html: a.html#y"]' && files === '["gone.md#x"]'
  console.log(`check_docs self-test: ${right ? 'passed' : `failed: ${site} ${files}`}`)
  return right ? 0 : 1
}

function main(argument) {
  if (argument === '--self-test') return selfTest()
  const files = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
  const dead = files.flatMap((file) =>
    deadInMarkdown(readFileSync(join(ROOT, file), 'utf8'), join(ROOT, dirname(file))).map((href) => `${file}: ${href}`),
  )
  if (argument !== undefined) dead.push(...deadInSite(join(argument, 'docs')))
  for (const one of dead) console.error(`leads nowhere: ${one}`)
  console.log(`documentation: ${files.length} files, ${dead.length} dead links`)
  return dead.length === 0 ? 0 : 1
}

process.exit(main(process.argv[2]))
