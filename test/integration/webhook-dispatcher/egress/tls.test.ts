import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import test from 'ava'
import { createHttpClient } from '#services/webhook-dispatcher/egress/http-client.ts'
import { startExitCode, startExitCodes } from '#shared/lifecycle/start-error.ts'
import { type LeafOptions, makeAuthority } from '../../../support/receivers/certificate.ts'
import { post, testCaFile, testHttpClient, testReceiver } from '../../../support/receivers/egress.ts'

const authority = makeAuthority()
const day = 86_400_000

const unfit: [string, LeafOptions][] = [
  ['another name', { names: ['other.example.test'] }],
  ['another address', { names: ['127.0.0.2'] }],
  ['the address as a name', { names: ['hooks.example.test'] }],
  ['a time in the past', { notBefore: new Date(Date.now() - 2 * day), notAfter: new Date(Date.now() - day) }],
  ['a time in the future', { notBefore: new Date(Date.now() + day), notAfter: new Date(Date.now() + 2 * day) }],
]
for (const [claim, options] of unfit) {
  test(`a certificate for ${claim} is a tls error and nothing is sent`, async (t) => {
    const receiver = await testReceiver(t, { authority, certificate: authority.issue(options) })
    const client = await testHttpClient(t, receiver)
    t.like(await post(client, receiver.url), { status: null, error: 'tls' })
    t.is(receiver.requests.length, 0)
  })
}

test('a certificate is verified for the name, whatever its address', async (t) => {
  const receiver = await testReceiver(t, { authority, certificate: authority.issue({ names: ['127.0.0.1'] }) })
  const client = await testHttpClient(t, receiver, { resolve: async () => ['127.0.0.1'] })
  t.like(await post(client, `https://hooks.example.test:${receiver.port}/`), { status: null, error: 'tls' })
})

test('the name is sent in the handshake (SNI)', async (t) => {
  const names: string[] = []
  const server = createServer({ ...authority.issue({ names: ['hooks.example.test'] }) }, (socket) => socket.end())
  server.on('secureConnection', (socket) => names.push(String(socket.servername)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  const client = await testHttpClient(t, { ca: authority.cert }, { resolve: async () => ['127.0.0.1'] })
  await post(client, `https://hooks.example.test:${(server.address() as AddressInfo).port}/`)
  t.deepEqual(names, ['hooks.example.test'])
})

test('an unknown authority is a tls error', async (t) => {
  const receiver = await testReceiver(t, { authority: makeAuthority() })
  const client = await testHttpClient(t, { ca: authority.cert })
  t.like(await post(client, receiver.url), { status: null, error: 'tls' })
})

test('anything that is not TLS is a tls error', async (t) => {
  const receiver = await testReceiver(t, { welcome: 'plain' })
  const client = await testHttpClient(t, receiver)
  t.like(await post(client, receiver.url), { status: null, error: 'tls' })
})

test('a reset in the handshake is a connection error', async (t) => {
  const receiver = await testReceiver(t, { welcome: 'reset' })
  const client = await testHttpClient(t, receiver)
  t.like(await post(client, receiver.url), { status: null, error: 'connection' })
})

test('a certificate that has become invalid is rejected at the next connection: no session is resumed past the check', async (t) => {
  const receiver = await testReceiver(t, { authority, reply: { headers: { connection: 'close' } } })
  const client = await testHttpClient(t, receiver)
  t.is((await post(client, receiver.url)).status, 200)
  t.is((await post(client, receiver.url)).status, 200)
  receiver.present(makeAuthority().issue())
  t.like(await post(client, receiver.url), { status: null, error: 'tls' })
  t.is(receiver.resumed, 0)
})

test('HTTP/2 is not offered', async (t) => {
  const server = createServer({ ...authority.issue(), ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => {
    protocols.push(socket.alpnProtocol)
    socket.end()
  })
  const protocols: unknown[] = []
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  const client = await testHttpClient(t, { ca: authority.cert })
  await post(client, `https://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  t.deepEqual(protocols, ['http/1.1'])
})

test.serial('no environment variable turns the check of certificates off', async (t) => {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  t.teardown(() => void delete process.env.NODE_TLS_REJECT_UNAUTHORIZED)
  const receiver = await testReceiver(t, { authority: makeAuthority() })
  const client = await testHttpClient(t, { ca: authority.cert })
  t.like(await post(client, receiver.url), { status: null, error: 'tls' })
})

test('without a file of authorities only the usual roots are trusted', async (t) => {
  const receiver = await testReceiver(t)
  for (const caFile of ['', null]) {
    const client = createHttpClient({
      allowCidrs: ['127.0.0.0/8'],
      allowHttp: false,
      caFile,
      timeoutMs: 5_000,
      maxClients: 1,
    })
    t.teardown(() => client.close())
    t.like(await post(client, receiver.url), { status: null, error: 'tls' })
  }
})

test('a file without a certificate stops the start', async (t) => {
  const empty = await testCaFile(t, 'no certificate')
  for (const caFile of [empty, `${empty}.gone`]) {
    const create = () => createHttpClient({ allowCidrs: [], allowHttp: false, caFile, timeoutMs: 5_000, maxClients: 1 })
    const error = t.throws(create, { message: new RegExp(`^webhooks\\.caFile cannot be .*: ${caFile} `) })
    t.is(startExitCode(error), startExitCodes.configuration)
  }
})
