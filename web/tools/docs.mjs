// Writes dist/docs, the documentation as static pages, from the project's own Markdown: node web/tools/docs.mjs, which build_package.mjs does.
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, normalize } from 'node:path'
import { Marked } from 'marked'
import { imported, ROOT } from '../../wasm/bench/bundle.mjs'

const STYLE = `:root{color-scheme:light dark;--well:light-dark(#fefdfb,#0b0d0f);--side:light-dark(#f5f3ee,#121518);--line:light-dark(#e1ddd4,#22272c);
--ink:light-dark(#1a1c1e,#e9ebed);--soft:light-dark(#4c5156,#aeb5bb);--link:light-dark(#14637a,#6fb7cb)}
*{box-sizing:border-box}body{margin:0;background:var(--well);color:var(--ink);font:16px/1.6 system-ui,sans-serif;display:grid;grid-template-columns:15rem minmax(0,1fr)}
a{color:var(--link)}nav{background:var(--side);border-right:1px solid var(--line);padding:1.25rem;min-height:100vh;font-size:.9rem}
nav h2{font-size:.8rem;color:var(--soft);margin:1.25rem 0 .25rem}nav ul{list-style:none;margin:0;padding:0}nav a{display:block;padding:.15rem 0;text-decoration:none}
nav a[aria-current]{color:var(--ink);font-weight:600}main{padding:1.25rem 2rem 4rem;max-width:60rem}h1{font-size:1.8rem;line-height:1.25;margin:.25rem 0 1rem}
h2{font-size:1.3rem;margin:2rem 0 .5rem}h3{font-size:1.05rem}code,pre{font:.875em/1.5 ui-monospace,monospace}pre{background:var(--side);border:1px solid var(--line);
padding:.75rem 1rem;overflow-x:auto}table{border-collapse:collapse;display:block;overflow-x:auto;font-size:.9rem}th,td{border-bottom:1px solid var(--line);
padding:.35rem .75rem .35rem 0;text-align:left;vertical-align:top}@media(max-width:760px){body{display:flex;flex-direction:column}nav{order:2;min-height:0;border:0;border-top:1px solid var(--line)}
nav ul{columns:2}main{padding:1rem}}`
const POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"
/** Files that stand beside the pages because they link to them. */
const BESIDE = ['web/docs/link-format.json', 'examples/five.csv']

const escaped = (text) =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? c)

/** As GitHub makes them. */
const slug = (text) =>
  text
    .toLowerCase()
    .replace(/<[^>]*>|&[a-z]+;/g, '')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')

/** Where a link of a file of the project leads in the site; null: nowhere, it stays as text. */
function target(href, file, pages) {
  if (/^[a-z]+:|^#/.test(href)) return href
  const [path = '', anchor = ''] = href.split('#')
  const behind = anchor === '' ? '' : `#${anchor}`
  // between pages that are written for the site
  if (path.endsWith('.html')) return href
  const meant = normalize(join(dirname(file), path))
  const page = pages.get(meant) ?? pages.get(join(meant, 'README.md'))
  if (page !== undefined) return `${page}.html${behind}`
  return BESIDE.includes(meant) ? basename(meant) : null
}

function written(text, file, pages) {
  const seen = new Map()
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens)
        const id = slug(inner)
        const again = seen.get(id) ?? 0
        seen.set(id, again + 1)
        return `<h${depth} id="${again === 0 ? id : `${id}-${again}`}">${inner}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        const to = target(href, file, pages)
        return to === null ? inner : `<a href="${escaped(to)}">${inner}</a>`
      },
      image: ({ text }) => escaped(text),
      // what is written in angle brackets is meant to be read, but for line ends in tables
      html: ({ text }) => (text === '<br>' ? text : escaped(text)),
    },
  })
  return marked.parse(text)
}

function page({ name, title }, body, groups) {
  const item = (doc) =>
    `<li><a href="${doc.name}.html"${doc.name === name ? ' aria-current="page"' : ''}>${escaped(doc.title)}</a></li>`
  const nav = Object.entries(groups).map(([group, docs]) => `<h2>${group}</h2><ul>${docs.map(item).join('')}</ul>`)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width"><title>${escaped(title)} · Arenascope</title>
<link rel="icon" href="../icon.svg"><link rel="stylesheet" href="docs.css"></head>
<body><nav aria-label="Documentation"><a href="../index.html">Arenascope</a>${nav.join('')}</nav>
<main>${body}</main></body></html>
`
}

/** dist: of the built page. */
export async function writeDocs(dist) {
  const folder = join(dist, 'docs')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const { solvers } = JSON.parse(await readFile(join(ROOT, 'build/wasm/manifest.json'), 'utf8'))
  const groups = (await imported('../../web/tools/docs_list.ts')).docs(solvers)
  const all = Object.values(groups).flat()
  const pages = new Map(all.flatMap(({ file, name }) => (file === undefined ? [] : [[file, name]])))
  for (const doc of all) {
    const text = doc.text ?? (await readFile(join(ROOT, doc.file), 'utf8'))
    await writeFile(
      join(folder, `${doc.name}.html`),
      page(doc, written(text, doc.file ?? 'web/docs/x.md', pages), groups),
    )
  }
  await writeFile(join(folder, 'docs.css'), STYLE)
  for (const file of BESIDE) await copyFile(join(ROOT, file), join(folder, basename(file)))
}
