#!/usr/bin/env node
// Checks that the public header, the glue and the export list of the WASM modules agree:
//   every name in wasm/exports.txt (after a plus where the lean module has it not, a star where that of buffers has not, two pluses where only the whole one has it) is a function of wasm/glue/ (or of asc.h), and every function
//   that wasm/glue/ defines is in the list, is declared in one of its headers, or is static;
//   every public function of asc.h is called by the glue, or is noted in the list as "- name: reason", never both.
//   node tests/check_exports.mjs [ROOT]        node tests/check_exports.mjs --self-test
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const withoutComments = (text) =>
  text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"/g, (s) => s.replace(/[^\n]/g, ' '))
const lineOf = (text, index) => text.slice(0, index).split('\n').length

/** Functions declared in the header, as Map(name -> line). Function types and pointers have a star or a typedef before them. */
export function declared(header) {
  const text = withoutComments(header).replace(/^[ \t]*#(?:[^\n\\]|\\[\s\S])*/gm, (s) => s.replace(/[^\n]/g, ' '))
  const found = new Map()
  for (const m of text.matchAll(/(?<=^|[;{}]|"C")([^;{}()]*?)\b(asc_\w+)\s*\([^;{}]*\)\s*;/g)) {
    if (/\btypedef\b/.test(m[1])) continue
    found.set(m[2], lineOf(text, m.index + m[0].indexOf(m[2])))
  }
  return found
}

/** Functions that the glue defines and others can link to, as Map(name -> line). */
export function defined(glue) {
  const text = withoutComments(glue).replace(/^[ \t]*#(?:[^\n\\]|\\[\s\S])*/gm, (s) => s.replace(/[^\n]/g, ' '))
  const found = new Map()
  for (const m of text.matchAll(/^(?![ \t}])([^;{}()=]*?)\b(\w+)\s*\([^;{}]*\)\s*\{/gm)) {
    if (/\bstatic\b|\btypedef\b/.test(m[1]) || !/\w/.test(m[1])) continue
    found.set(m[2], lineOf(text, m.index + m[0].indexOf(m[2])))
  }
  return found
}

/** The list: {names: Map(name -> line), notes: Map(name -> line), bad: [{line, text}]}. */
export function listed(text) {
  const names = new Map()
  const notes = new Map()
  const bad = []
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const note = /^- (\w+):\s*(.*)$/.exec(line)
    const name = note ? note[1] : line.replace(/^(\+{1,2}|\*) /, '')
    if (!/^\w+$/.test(name))
      bad.push({
        line: index + 1,
        text: `neither a name, nor "+ name", "* name" or "++ name", nor "- name: reason": ${line}`,
      })
    else if (names.has(name) || notes.has(name)) bad.push({ line: index + 1, text: `${name} is listed twice` })
    else if (note && note[2].length < 8) bad.push({ line: index + 1, text: `${name} is left out without a reason` })
    else (note ? notes : names).set(name, index + 1)
  }
  return { names, notes, bad }
}

/** Names that the glue's headers declare for its own files. */
const shared = (headers) => new Set([...withoutComments(headers).matchAll(/\b(\w+)\([^;{}()]*\);/g)].map((m) => m[1]))

/** What asc.h brings in. */
const HEADERS = ['problem.h', 'graph.h', 'run.h', 'steps.h']

/** All disagreements of the texts, as "file:line: what"; headers, glue: [{file, text}]. */
export function disagreements(headers, glue, list) {
  const api = new Map(
    headers.flatMap(({ file, text }) => [...declared(text)].map(([name, line]) => [name, `${file}:${line}`])),
  )
  const sources = glue.filter(({ file }) => file.endsWith('.c'))
  const glued = new Map(
    sources.flatMap(({ file, text }) => [...defined(text)].map(([name, line]) => [name, `${file}:${line}`])),
  )
  const own = shared(glue.flatMap(({ file, text }) => (file.endsWith('.h') ? [text] : [])).join('\n'))
  const { names, notes, bad } = listed(list)
  const called = new Set(glue.flatMap(({ text }) => withoutComments(text).match(/\basc_\w+/g) ?? []))
  const out = bad.map((b) => `wasm/exports.txt:${b.line}: ${b.text}`)
  if (api.size === 0) out.push('core/include/asc/asc.h:1: it brings in no public function')
  for (const [name, line] of names)
    if (!glued.has(name) && !api.has(name))
      out.push(`wasm/exports.txt:${line}: ${name} is defined neither in glue/ nor in asc.h`)
  for (const [name, place] of glued)
    if (!names.has(name) && !own.has(name))
      out.push(`wasm/glue/${place}: ${name} is neither static nor in exports.txt nor in a header of the glue`)
  for (const [name, place] of api) {
    const reached = called.has(name) || names.has(name)
    if (!reached && !notes.has(name))
      out.push(`core/include/asc/${place}: ${name} is neither called by glue/ nor listed with a reason in exports.txt`)
  }
  for (const [name, line] of notes) {
    if (!api.has(name)) out.push(`wasm/exports.txt:${line}: ${name} is no function of asc.h`)
    else if (called.has(name) || names.has(name))
      out.push(`wasm/exports.txt:${line}: ${name} is listed as left out, but the glue calls it`)
  }
  return out
}

function selfTest() {
  const header = `#ifdef X
extern "C" {
#endif
/* asc_ghost(int); */
typedef bool (*asc_sink)(void *user);
typedef struct asc_a { int (*call)(int); } asc_a;
const char *asc_text(int a);
int asc_open(asc_a *a,
             asc_sink sink);
`
  const glue =
    '/* asc_text() */\nstatic int helper(int a) { return a; }\nint glue_open(int a) {\n  return asc_open(0, 0) + helper(a);\n}\n'
  const list = '# list\n+ glue_open\n- asc_text: the page has its own words\n'
  const cases = [
    ['agreement', header, glue, list, []],
    ['export of nothing', header, glue, `${list}glue_close\n`, [/^wasm\/exports\.txt:4: glue_close/]],
    ['forgotten export', header, `${glue}void glue_more(void) {}\n`, list, [/^wasm\/glue\/a\.c:6: glue_more/]],
    ['shared within', header, `${glue}void glue_more(void) {}\n`, list, [], 'void glue_more(void);\n'],
    ['new public function', `${header}void asc_new(void);\n`, glue, list, [/^core\/include\/asc\/run\.h:10: asc_new/]],
    [
      'note without a reason',
      header,
      glue,
      'glue_open\n- asc_text:\n',
      [/:2: asc_text is left out/, /asc_text is neither/],
    ],
    [
      'note on what is called',
      header,
      glue,
      `${list}- asc_open: we do not need it\n`,
      [/:4: asc_open is listed as left out/],
    ],
    ['note on nothing', header, glue, `${list}- asc_ghost: is only in a comment\n`, [/:4: asc_ghost is no function/]],
    ['listed twice', header, glue, `${list}glue_open\n`, [/:4: glue_open is listed twice/]],
    ['no such mark', header, glue, `${list}- glue_open\n`, [/:4: neither a name/]],
    ['two pluses', header, glue, list.replace('+', '++'), []],
    ['three pluses', header, glue, list.replace('+', '+++'), [/:2: neither a name/, /glue_open is neither static/]],
    ['empty header', '', glue, 'glue_open\n', [/no public function/]],
  ]
  let wrong = 0
  for (const [name, h, g, l, expected, own = ''] of cases) {
    const got = disagreements(
      [{ file: 'run.h', text: h }],
      [
        { file: 'a.c', text: g },
        { file: 'a.h', text: own },
      ],
      l,
    )
    if (got.length === expected.length && expected.every((e) => got.some((text) => e.test(text)))) continue
    wrong++
    console.error(`self-test ${name}: got ${JSON.stringify(got)}`)
  }
  console.log(`check_exports self-test: ${cases.length - wrong} passed, ${wrong} failed`)
  return wrong ? 1 : 0
}

function main(arguments_) {
  if (arguments_[0] === '--self-test') return selfTest()
  const root = arguments_[0] ?? join(dirname(fileURLToPath(import.meta.url)), '..')
  const text = (path) => readFileSync(join(root, path), 'utf8')
  const headers = HEADERS.map((file) => ({ file, text: text(`core/include/asc/${file}`) }))
  const list = text('wasm/exports.txt')
  const glue = readdirSync(join(root, 'wasm/glue')).map((file) => ({ file, text: text(`wasm/glue/${file}`) }))
  const out = disagreements(headers, glue, list)
  for (const line of out) console.error(line)
  console.log(
    `export list: ${headers.flatMap((one) => [...declared(one.text)]).length} public functions, ${listed(list).names.size} exports, ${out.length} disagreements`,
  )
  return out.length ? 1 : 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(main(process.argv.slice(2)))
