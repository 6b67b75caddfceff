import { setTimeout as delay } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import type { AttemptOutcome } from '#shared/domain/webhook/deliveries/delivery.ts'
import { makeAuthority } from '../../../support/receivers/certificate.ts'
import { post, testHttpClient, testReceiver } from '../../../support/receivers/egress.ts'
import type { Welcome } from '../../../support/receivers/receiver.ts'
import type { Reply } from '../../../support/receivers/reply.ts'
import { startFullBacklog } from '../../../support/webhooks/full-backlog.ts'

// All attempts wait for it at the same time, so it can be long enough for TLS handshakes on a busy machine.
const timeoutMs = 10_000

const neverConnecting: [string, Welcome][] = [
  ['accepts the connection and sends nothing', 'silent'],
  ['stops in the middle of the TLS handshake', 'half-handshake'],
]
for (const [claim, welcome] of neverConnecting) {
  test(`a receiver that ${claim} is a timeout, and its socket is destroyed`, async (t) => {
    const receiver = await testReceiver(t, { welcome })
    const client = await testHttpClient(t, receiver, { timeoutMs })
    isTimeout(t, await post(client, receiver.url))
    await receiver.opened(0)
    t.is(receiver.requests.length, 0)
  })
}

test('a receiver that never reads the request is a timeout', async (t) => {
  const receiver = await testReceiver(t, { welcome: 'deaf' })
  const client = await testHttpClient(t, receiver, { timeoutMs })
  isTimeout(t, await post(client, receiver.url, { body: 'x'.repeat(16_000_000) }))
})

const neverAnswering: [string, Reply][] = [
  ['sends nothing', { hang: 'before-head' }],
  ['stops in the middle of the head', { hang: 'in-head' }],
  ['drips the head, byte by byte', { drip: { part: 'head', everyMs: 10 } }],
  ['sends only responses below 200', { raw: 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n' }],
  ['stops in the middle of a 100 Continue', { raw: 'HTTP/1.1 100 Contin' }],
]
for (const [claim, reply] of neverAnswering) {
  test(`a receiver that accepts the request and ${claim} is a timeout, and its socket is destroyed`, async (t) => {
    const receiver = await testReceiver(t, { reply })
    const client = await testHttpClient(t, receiver, { timeoutMs })
    isTimeout(t, await post(client, receiver.url))
    await receiver.opened(0)
    t.is(receiver.requests.length, 1)
  })
}

const neverEnding: [string, Reply, string][] = [
  ['hangs', { hang: 'in-body', body: 'half of it' }, 'half '],
  ['has no end and no length', { raw: 'HTTP/1.1 200 OK\r\n\r\nsome' }, 'some'],
]
for (const [claim, reply, body] of neverEnding) {
  test(`a 2xx head succeeds although its body ${claim}; the socket is destroyed at the deadline`, async (t) => {
    const receiver = await testReceiver(t, { reply })
    const client = await testHttpClient(t, receiver, { timeoutMs })
    t.like(await post(client, receiver.url), { status: 200, body, error: null })
    await receiver.opened(0)
  })
}

test('a slow body does not exceed the deadline', async (t) => {
  const receiver = await testReceiver(t, { reply: { status: 500, drip: { part: 'body', everyMs: 10 } } })
  const client = await testHttpClient(t, receiver, { timeoutMs })
  const outcome = await post(client, receiver.url)
  t.like(outcome, { status: 500, error: null })
  t.regex(outcome.body, /^x+$/)
  await receiver.opened(0)
})

test('a TCP handshake that hangs is a timeout', async (t) => {
  const hole = await startFullBacklog()
  t.teardown(() => hole.close())
  const receiver = await testReceiver(t)
  const client = await testHttpClient(t, receiver, { timeoutMs })
  isTimeout(t, await post(client, `https://127.0.0.1:${hole.port}/`))
})

test('a look-up that hangs is a timeout, and the look-up is aborted', async (t) => {
  let given: AbortSignal | undefined
  const receiver = await testReceiver(t)
  const client = await testHttpClient(t, receiver, {
    timeoutMs,
    resolve(_name, signal) {
      given = signal
      return new Promise(() => {})
    },
  })
  isTimeout(t, await post(client, 'https://hooks.example.test/'))
  t.true(given?.aborted)
})

test('the attempt has one deadline as a whole, not one for each phase', async (t) => {
  const authority = makeAuthority()
  const certificate = authority.issue({ names: ['hooks.example.test'] })
  const reply = () => delay(timeoutMs * 0.8, { status: 200 })
  const receiver = await testReceiver(t, { authority, certificate, reply })
  const client = await testHttpClient(t, receiver, { timeoutMs, resolve: () => delay(timeoutMs * 0.4, ['127.0.0.1']) })
  isTimeout(t, await post(client, `https://hooks.example.test:${receiver.port}/`))
  t.is(receiver.requests.length, 1)
})

test('after a timeout the same webhook is served again over a fresh connection', async (t) => {
  const receiver = await testReceiver(t, { welcome: 'silent' })
  const client = await testHttpClient(t, receiver, { timeoutMs })
  isTimeout(t, await post(client, receiver.url))
  receiver.welcome = 'serve'
  t.like(await post(client, receiver.url), { status: 200, error: null })
})

test("one webhook's timeout leaves another's request alone", async (t) => {
  const answer = Promise.withResolvers<Reply>()
  const receiver = await testReceiver(t, {
    reply: ({ path }) => (path === '/hang' ? { hang: 'before-head' } : answer.promise),
  })
  const client = await testHttpClient(t, receiver, { timeoutMs })
  const hanging = post(client, `https://127.0.0.1:${receiver.port}/hang`, { key: 'first' })
  await delay(timeoutMs / 2)
  const other = post(client, receiver.url, { key: 'second' })
  isTimeout(t, await hanging)
  answer.resolve({ status: 202 })
  t.like(await other, { status: 202, error: null })
})

function isTimeout(t: ExecutionContext, outcome: AttemptOutcome): void {
  t.like(outcome, { status: null, body: '', error: 'timeout' })
}
