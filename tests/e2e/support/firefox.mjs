#!/usr/bin/env node
// Debian's Firefox as Playwright wants it. Playwright speaks WebDriver BiDi with it and emulates more than an ESR knows: what that answers with
// "unknown command" is passed over here, for the test asks for none of it. Takes Firefox's arguments; FIREFOX names the program.
import { spawn } from 'node:child_process'
import { WebSocket, WebSocketServer } from 'ws'

const LISTENING = /WebDriver BiDi listening on (ws:\/\/\S+)/
const child = spawn(process.env.FIREFOX ?? 'firefox-esr', process.argv.slice(2), { stdio: ['ignore', 'pipe', 'pipe'] })
child.on('exit', (code) => process.exit(code ?? 1))
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal))

/** What was asked for, by number. */
const asked = new Map()

function forgiven(text) {
  const message = JSON.parse(text)
  const method = asked.get(message.id) ?? ''
  asked.delete(message.id)
  const unknown = message.type === 'error' && message.error === 'unknown command' && method.startsWith('emulation.')
  return unknown ? JSON.stringify({ type: 'success', id: message.id, result: {} }) : text
}

function between(client, server) {
  const waiting = []
  server.on('open', () => {
    for (const text of waiting.splice(0)) server.send(text)
  })
  client.on('message', (data) => {
    const text = data.toString()
    const { id, method } = JSON.parse(text)
    asked.set(id, method)
    if (server.readyState === WebSocket.OPEN) server.send(text)
    else waiting.push(text)
  })
  server.on('message', (data) => client.send(forgiven(data.toString())))
  client.on('close', () => server.close())
  server.on('close', () => client.close())
}

function stand(address) {
  const proxy = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  proxy.on('connection', (client, { url }) =>
    between(client, new WebSocket(address + url, { perMessageDeflate: false })),
  )
  proxy.on('listening', () =>
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${proxy.address().port}\n`),
  )
}

for (const stream of [child.stdout, child.stderr])
  stream.on('data', (data) => {
    const found = LISTENING.exec(data.toString())
    if (found === null) process.stderr.write(data)
    else stand(found[1])
  })
