#!/usr/bin/env node
// Checks the accelerator profiles: every file of core/src/profile/data against core/src/profile/schema.json, and what a schema cannot say: a
// file is named after its id, banks and pools agree with the capacity, what is reserved leaves something, and the figures that have a
// name of their own are not misspelt.
//   node tests/check_profiles.mjs [ROOT]        node tests/check_profiles.mjs --self-test
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Ajv from 'ajv'

const self = fileURLToPath(import.meta.url)
const figures = {
  capacity: ['bytes'],
  reserved: ['bytes'],
  alignment: ['bytes', 'apply'],
  banks: ['bytes', 'count', 'mayCross'],
  cores: ['count', 'of'],
  dtype: ['name'],
  transfer: ['picosecondsPerByte'],
}

/** What is wrong with a profile that its schema accepts. */
function misfits(name, { id, title, capacity, reserved, alignment, banks, pools, ...rest }) {
  const bad = []
  const profile = { capacity, reserved, alignment, banks, ...rest }
  if (`${id}.json` !== name) bad.push(`id is ${id}, expected the file's name`)
  for (const [figure, keys] of Object.entries(figures))
    for (const key of Object.keys(profile[figure] ?? {}))
      if (![...keys, 'status', 'source'].includes(key)) bad.push(`${figure} has ${key}, which no figure has`)
  const unknown = capacity.bytes === 0
  if (unknown !== (capacity.status === 'not public')) bad.push('capacity is 0 if and only if it is not public')
  if (reserved && reserved.bytes >= capacity.bytes) bad.push('reserved leaves no byte of the capacity')
  if (!unknown && alignment.bytes > capacity.bytes) bad.push('alignment exceeds the capacity')
  if (banks && banks.bytes * banks.count !== capacity.bytes) bad.push('banks do not add up to the capacity')
  if (banks && !banks.mayCross && pools && pools.length !== banks.count) bad.push('pools are not the banks')
  if (!/^[ -~]*$/.test(title)) bad.push('title is not plain ASCII')
  return bad
}

/** All complaints about the files ([{name, text}]), as "name: what". */
export function complaints(schema, files) {
  const valid = new Ajv({ allErrors: true, strict: true, strictTypes: false, strictRequired: false }).compile(schema)
  const titles = new Map()
  const bad = []
  for (const { name, text } of files) {
    let profile
    try {
      profile = JSON.parse(text)
    } catch (error) {
      bad.push(`${name}: ${error.message}`)
      continue
    }
    if (!valid(profile)) {
      for (const e of valid.errors) bad.push(`${name}: ${e.instancePath || '/'} ${e.message}`)
      continue
    }
    for (const text of misfits(name, profile)) bad.push(`${name}: ${text}`)
    const other = titles.get(profile.title)
    if (other) bad.push(`${name}: has the title of ${other}`)
    titles.set(profile.title, name)
  }
  return bad
}

function read(root) {
  const folder = join(root, 'core/src/profile')
  const names = readdirSync(join(folder, 'data')).sort()
  const files = names.map((name) => ({ name, text: readFileSync(join(folder, 'data', name), 'utf8') }))
  return { schema: JSON.parse(readFileSync(join(folder, 'schema.json'), 'utf8')), files }
}

/** Each case changes a good profile; it must be found, or not. */
const cases = [
  ['nothing', () => {}, false],
  ['a missing capacity', (p) => delete p.capacity, true],
  ['a capacity that is a text', (p) => Object.assign(p.capacity, { bytes: '64' }), true],
  ['a status that there is not', (p) => Object.assign(p.alignment, { status: 'guess' }), true],
  ['a document that is not named', (p) => delete p.capacity.source, true],
  ['a field that there is not', (p) => Object.assign(p, { colour: 'red' }), true],
  ['a figure misspelt', (p) => Object.assign(p.banks, { maycross: true }), true],
  ['another id', (p) => Object.assign(p, { id: 'other' }), true],
  ['banks that do not add up', (p) => Object.assign(p.banks, { count: 3 }), true],
  ['all of it reserved', (p) => Object.assign(p, { reserved: { bytes: 64, status: 'estimate' } }), true],
  ['a quote in the title', (p) => Object.assign(p, { title: 'a "b"' }), true],
  ['a capacity of 0 that is an estimate', (p) => Object.assign(p.capacity, { bytes: 0 }), true],
]

function selfTest() {
  const { schema } = read(join(dirname(self), '..'))
  let wrong = 0
  for (const [what, change, found] of cases) {
    const profile = {
      $schema: '../schema.json',
      id: 'a-b',
      title: 'A b',
      vendor: 'A',
      memory: 'SRAM',
      capacity: { bytes: 64, status: 'documented', source: 'a manual' },
      alignment: { bytes: 4, apply: 'both', status: 'estimate' },
      banks: { bytes: 16, count: 4, mayCross: false, status: 'secondary', source: 'a note' },
      dtype: { name: 'int8', status: 'common knowledge' },
    }
    change(profile)
    const bad = complaints(schema, [{ name: 'a-b.json', text: JSON.stringify(profile) }])
    if (bad.length > 0 === found) continue
    wrong++
    console.error(`self-test: ${what}: ${found ? 'was not found' : bad.join('; ')}`)
  }
  console.log(`check_profiles self-test: ${cases.length - wrong} passed, ${wrong} failed`)
  return wrong ? 1 : 0
}

function main(arguments_) {
  if (arguments_[0] === '--self-test') return selfTest()
  const { schema, files } = read(arguments_[0] ?? join(dirname(self), '..'))
  const bad = complaints(schema, files)
  for (const line of bad) console.error(line)
  if (files.length === 0) console.error(`check_profiles: no profile found beside ${basename(self)}`)
  console.log(`profiles: ${files.length} files, ${bad.length} complaints`)
  return bad.length || files.length === 0 ? 1 : 0
}

process.exit(main(process.argv.slice(2)))
