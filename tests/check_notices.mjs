#!/usr/bin/env node
// The notices of what others wrote and dist/ ships: THIRD-PARTY.txt, made of package-lock.json, of each package's own licence and of
// web/notices/ (what emcc links into the modules). The build copies it to dist/ and fails on a package that is not in it (web/notices_plugin.ts).
//   node tests/check_notices.mjs           says where THIRD-PARTY.txt is not what it would be now
//   node tests/check_notices.mjs --write   makes it                 node tests/check_notices.mjs --self-test
//   npm sbom --sbom-format=cyclonedx --package-lock-only | node tests/check_notices.mjs --sbom
//                                          leaves in npm's list what is shipped (its own --omit=dev leaves out what a tool of development needs, too),
//                                          adds what emcc links in, and takes out what is another at each call
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const MADE = 'THIRD-PARTY.txt'
/** Licences that a copy of the page may be given away under, with their texts. */
const KNOWN = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'OFL-1.1', '0BSD', 'MPL-2.0']
/** Those that ask to be told where the source of what is given away lies (MPL-2.0, section 3.2). */
const WITH_SOURCE = ['MPL-2.0']
const LINKED = [
  { name: 'musl, the C library of emscripten', license: 'MIT', file: 'musl.txt' },
  { name: 'emscripten, its runtime', license: 'MIT', file: 'emscripten.txt' },
]
const HEAD = `What this distribution holds that others wrote, and the terms of each. Made by \`node tests/check_notices.mjs --write\`.
Arenascope itself is under the Apache License 2.0: its text is the last one here.
`

/** Packages of the lock file that are not for development alone, by name. Types (@types/...) are compiled away: nothing of them is shipped. */
export function shipped(lock) {
  return Object.entries(lock.packages)
    .filter(([path, { dev, devOptional, optional }]) => path !== '' && !dev && !devOptional && !optional)
    .map(([path, { version, license }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 13),
      path,
      version,
      license,
    }))
    .filter(({ name }) => !name.startsWith('@types/'))
    .sort((x, y) => (x.name < y.name ? -1 : x.name > y.name ? 1 : 0))
}

/** What is wrong with a package: no licence, one that nobody has looked at, no text. */
export function complaint({ name, license, text, source }) {
  if (!license) return `${name}: says no licence`
  if (!KNOWN.includes(license)) return `${name}: is under ${license}, which nobody has looked at`
  if (WITH_SOURCE.includes(license) && !source) return `${name}: does not say where its source is`
  return text.trim() === '' ? `${name}: brings no text of its licence` : ''
}

export function notices(parts, own) {
  const line = '='.repeat(80)
  const all = parts.map(({ name, version, license, text, source }) =>
    [
      line,
      `${[name, version].filter(Boolean).join(' ')} (${license})`,
      line,
      '',
      ...(WITH_SOURCE.includes(license) ? [`Unchanged. Its source: ${source}`, ''] : []),
      text.trim().replaceAll('\r', ''),
      '',
    ].join('\n'),
  )
  return [HEAD, ...all, [line, 'Apache License 2.0', line, '', own.replace(/^\n+/, '').trimEnd(), ''].join('\n')].join(
    '\n',
  )
}

function licenceIn(folder) {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const found = names.find((name) => /^licen[cs]e(\.(md|txt))?$/i.test(name))
  return found === undefined ? '' : readFileSync(join(folder, found), 'utf8')
}

function sourceOf(folder) {
  const { repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return (repository?.url ?? repository ?? '').replace(/^git\+/, '')
}

function parts() {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const packages = shipped(lock).map((one) => ({
    ...one,
    text: licenceIn(join(root, one.path)),
    source: sourceOf(join(root, one.path)),
  }))
  const linked = LINKED.map((one) => ({ ...one, text: readFileSync(join(root, 'web/notices', one.file), 'utf8') }))
  return [...packages, ...linked]
}

/** npm's CycloneDX of all packages, as that of those that are shipped. */
export function billOf(all, packages) {
  const { serialNumber, ...bill } = all
  const { timestamp, ...metadata } = bill.metadata
  const kept = new Set(packages.map(({ name, version }) => `${name}@${version}`))
  const components = all.components.filter((one) => kept.has(one['bom-ref']))
  const refs = new Set([metadata.component['bom-ref'], ...components.map((one) => one['bom-ref'])])
  const missing = [...kept].filter((name) => !refs.has(name))
  if (missing.length > 0) throw new Error(`the list has no ${missing.join(', ')}`)
  const linked = LINKED.map(({ name, license }) => ({
    'bom-ref': name,
    type: 'library',
    name,
    licenses: [{ license: { id: license } }],
  }))
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((name) => refs.has(name)) }))
  return { ...bill, metadata, components: [...components, ...linked], dependencies }
}

const MIT = { version: '1', license: 'MIT', text: 'may be used' }
const cases = [
  ['a package of the page', { name: 'a', ...MIT }, false],
  ['one without a licence', { name: 'a', ...MIT, license: undefined }, true],
  ['one under a licence that asks for more', { name: 'a', ...MIT, license: 'GPL-3.0-only' }, true],
  ['one that asks for its source, with it', { name: 'a', ...MIT, license: 'MPL-2.0', source: 'https://a' }, false],
  ['and without', { name: 'a', ...MIT, license: 'MPL-2.0', source: '' }, true],
  ['one without its text', { name: 'a', ...MIT, text: ' \n' }, true],
]

function selfTest() {
  const wrong = cases.filter(([, part, bad]) => (complaint(part) !== '') !== bad).map(([what]) => what)
  const packages = {
    '': {},
    'node_modules/b': {},
    'node_modules/x/node_modules/@s/a': {},
    'node_modules/@types/b': {},
    'node_modules/c': { dev: true },
  }
  const names = shipped({ packages }).map(({ name }) => name)
  if (names.join() !== '@s/a,b') wrong.push(`what is shipped is ${names.join()}`)
  const text = notices([{ name: 'a', ...MIT }], 'own')
  if (!text.includes('\na 1 (MIT)\n') || !text.includes('\nmay be used\n') || !text.endsWith('\nown\n'))
    wrong.push('texts')
  const component = (name) => ({ 'bom-ref': name, name })
  const list = {
    serialNumber: 'x',
    metadata: { timestamp: 'now', component: component('own@1') },
    components: [component('a@1'), component('tool@1')],
    dependencies: [{ ref: 'own@1', dependsOn: ['a@1', 'tool@1'] }],
  }
  const { serialNumber, metadata, components, dependencies } = billOf(list, [{ name: 'a', version: '1' }])
  const told = [serialNumber, metadata.timestamp, components.length - LINKED.length, ...dependencies[0].dependsOn]
  if (told.join() !== ',,1,a@1') wrong.push(`the bill is ${told.join()}`)
  for (const what of wrong) console.error(`self-test: ${what}`)
  console.log(`check_notices self-test: ${cases.length + 3 - wrong.length} passed, ${wrong.length} failed`)
  return wrong.length ? 1 : 0
}

function main([argument]) {
  if (argument === '--self-test') return selfTest()
  const all = parts()
  if (argument === '--sbom') {
    const bill = billOf(
      JSON.parse(readFileSync(0, 'utf8')),
      all.filter(({ path }) => path !== undefined),
    )
    process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`)
    return 0
  }
  const bad = all.map(complaint).filter(Boolean)
  const text = notices(all, readFileSync(join(root, 'LICENSE'), 'utf8'))
  const path = join(root, MADE)
  if (argument === '--write' && bad.length === 0) writeFileSync(path, text)
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text)
    bad.push(`${MADE}: is not what is shipped now; node tests/check_notices.mjs --write makes it`)
  for (const line of bad) console.error(line)
  console.log(`notices: ${all.length} parts, ${bad.length} complaints`)
  return bad.length ? 1 : 0
}

process.exit(main(process.argv.slice(2)))
