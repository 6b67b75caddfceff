import { setTimeout as delay } from 'node:timers/promises'
import test from 'ava'
import { makeAuthority } from '../../../support/receivers/certificate.ts'
import { post, testHttpClient, testReceiver } from '../../../support/receivers/egress.ts'
import type { Reply } from '../../../support/receivers/reply.ts'

test('deliveries to one webhook share one connection', async (t) => {
  const receiver = await testReceiver(t, { reply: { body: 'ok' } })
  const client = await testHttpClient(t, receiver)
  for (let round = 0; round < 20; round += 1) t.is((await post(client, receiver.url)).status, 200)
  t.is(receiver.connections, 1)
})

test('each webhook has its own connection', async (t) => {
  const receiver = await testReceiver(t)
  const client = await testHttpClient(t, receiver)
  await Promise.all(['a', 'b', 'c'].map((key) => post(client, receiver.url, { key })))
  t.is(receiver.open, 3)
})

test('while a request to a webhook is open, another is not sent', async (t) => {
  const answer = Promise.withResolvers<Reply>()
  const receiver = await testReceiver(t, { reply: () => answer.promise })
  const client = await testHttpClient(t, receiver)
  const first = post(client, receiver.url)
  await receiver.received(1)
  t.like(await post(client, receiver.url), { status: null, error: 'interrupted' })
  answer.resolve({ status: 202 })
  t.like(await first, { status: 202, error: null })
  t.is(receiver.requests.length, 1)
})

test('a receiver that requests to close gets a fresh connection for the next delivery', async (t) => {
  const receiver = await testReceiver(t, { reply: { headers: { connection: 'close' }, close: 'after-body' } })
  const client = await testHttpClient(t, receiver)
  for (const round of [1, 2]) t.is((await post(client, receiver.url)).status, 200, `${round}`)
  t.is(receiver.connections, 2)
})

test('a kept connection that the receiver has closed costs nothing', async (t) => {
  const receiver = await testReceiver(t)
  const client = await testHttpClient(t, receiver)
  await post(client, receiver.url)
  receiver.endConnections()
  await receiver.opened(0)
  t.like(await post(client, receiver.url), { status: 200, error: null })
  t.is(receiver.requests.length, 2)
})

for (const act of ['reset', 'close'] as const) {
  test(`a kept connection that breaks (${act}) as the request is sent: it is sent again within the same attempt`, async (t) => {
    const replies: Reply[] = [{}, { [act]: 'before-head' }, { status: 202 }]
    const receiver = await testReceiver(t, { reply: () => replies.shift() ?? {} })
    const client = await testHttpClient(t, receiver)
    t.is((await post(client, receiver.url)).status, 200)
    t.like(await post(client, receiver.url, { body: '{"a":1}' }), { status: 202, error: null })
    t.deepEqual(
      receiver.requests.map(({ connection, body }) => [connection, `${body}`]),
      [
        [1, '{}'],
        [1, '{"a":1}'],
        [2, '{"a":1}'],
      ],
    )
  })
}

test('a request is sent again at most once', async (t) => {
  const replies: Reply[] = [{}]
  const receiver = await testReceiver(t, { reply: () => replies.shift() ?? { close: 'before-head' } })
  const client = await testHttpClient(t, receiver)
  await post(client, receiver.url)
  t.like(await post(client, receiver.url), { status: null, error: 'connection' })
  t.is(receiver.requests.length, 3)
})

test('a request is not sent again after a byte of a response', async (t) => {
  const replies: Reply[] = [{}, { reset: 'in-head' }]
  const receiver = await testReceiver(t, { reply: () => replies.shift() ?? {} })
  const client = await testHttpClient(t, receiver)
  await post(client, receiver.url)
  t.like(await post(client, receiver.url), { status: null, error: 'connection' })
  t.is(receiver.requests.length, 2)
})

test('sending again does not start a new deadline', async (t) => {
  const timeoutMs = 5_000
  const replies: (() => Promise<Reply>)[] = [
    async () => ({}),
    () => delay(timeoutMs * 0.4, { close: 'before-head' }),
    () => delay(timeoutMs * 0.8, { status: 200 }), // before a new deadline, and after the old one
  ]
  const receiver = await testReceiver(t, { reply: () => replies.shift()?.() ?? {} })
  const client = await testHttpClient(t, receiver, { timeoutMs })
  await post(client, receiver.url)
  t.like(await post(client, receiver.url), { status: null, error: 'timeout' })
  t.is(receiver.requests.length, 3)
})

test('a response without a request ends the connection and does not count', async (t) => {
  const raw = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n'
  const receiver = await testReceiver(t, { reply: { raw } })
  const client = await testHttpClient(t, receiver)
  t.is((await post(client, receiver.url)).status, 200)
  receiver.reply = { status: 500 }
  t.is((await post(client, receiver.url)).status, 500)
  t.is(receiver.connections, 2)
})

test('an unused connection is closed, and its client with it', async (t) => {
  const receiver = await testReceiver(t)
  const client = await testHttpClient(t, receiver, { idleMs: 100 })
  await post(client, receiver.url)
  t.is(receiver.open, 1)
  await receiver.opened(0)
  t.like(await post(client, receiver.url), { status: 200, error: null })
})

for (const [claim, maxAgeMs, connections] of [
  ['a connection past its age is not used again, and the name is resolved again', 0, 3],
  ['a young connection is used again and its name is not resolved', 600_000, 1],
] as const) {
  test(claim, async (t) => {
    const authority = makeAuthority()
    const certificate = authority.issue({ names: ['hooks.example.test'] })
    const receiver = await testReceiver(t, { authority, certificate })
    let asked = 0
    const client = await testHttpClient(t, receiver, {
      maxAgeMs,
      resolve: async () => {
        asked += 1
        return ['127.0.0.1']
      },
    })
    const url = `https://hooks.example.test:${receiver.port}/`
    for (const round of [1, 2, 3]) t.is((await post(client, url)).status, 200, `${round}`)
    t.is(asked, connections)
    t.is(receiver.connections, connections)
    await receiver.opened(1)
  })
}

test('a changed url gets its own connection and the old one is closed', async (t) => {
  const [before, after] = [await testReceiver(t), await testReceiver(t)]
  const client = await testHttpClient(t, { ca: before.ca + after.ca })
  t.is((await post(client, before.url)).status, 200)
  t.is((await post(client, after.url)).status, 200)
  await before.opened(0)
  t.is(after.open, 1)
})

test('the number of connections is limited: the longest unused is closed first, an open request never', async (t) => {
  const receiver = await testReceiver(t)
  const client = await testHttpClient(t, receiver, { maxClients: 2 })
  await post(client, receiver.url, { key: 'a' })
  await post(client, receiver.url, { key: 'b' })
  await post(client, receiver.url, { key: 'a' })
  await post(client, receiver.url, { key: 'c' })
  await receiver.opened(2)
  await post(client, receiver.url, { key: 'a' })
  t.is(receiver.connections, 3)

  receiver.reply = { pieces: ['HTTP/1.1 200 OK\r\n', ...'x-padding: 0123456789\r\n', 'content-length: 0\r\n\r\n'] }
  const outcomes = await Promise.all(['d', 'e', 'f', 'g'].map((key) => post(client, receiver.url, { key })))
  t.deepEqual(
    outcomes.map(({ status }) => status),
    [200, 200, 200, 200],
  )
})

test('forgetting a webhook closes its connection and interrupts its open request', async (t) => {
  const receiver = await testReceiver(t)
  const client = await testHttpClient(t, receiver)
  await post(client, receiver.url)
  client.forget('webhook')
  await receiver.opened(0)
  receiver.reply = { hang: 'before-head' }
  const open = post(client, receiver.url)
  await receiver.received(2)
  client.forget('webhook')
  t.like(await open, { status: null, error: 'interrupted' })
  await receiver.opened(0)
  t.notThrows(() => client.forget('unknown'))
})

for (const [claim, welcome, count] of [
  ['connecting', 'silent', 0],
  ['waiting for the head', 'serve', 1],
] as const) {
  test(`the signal interrupts a request that is ${claim}`, async (t) => {
    const receiver = await testReceiver(t, { welcome, reply: { hang: 'before-head' } })
    const client = await testHttpClient(t, receiver)
    const stop = new AbortController()
    const open = post(client, receiver.url, { signal: stop.signal })
    await receiver.opened(1)
    await receiver.received(count)
    stop.abort()
    t.like(await open, { status: null, error: 'interrupted' })
    await receiver.opened(0)
  })
}

test('with a signal that is already aborted nothing is sent', async (t) => {
  const receiver = await testReceiver(t)
  const client = await testHttpClient(t, receiver)
  t.like(await post(client, receiver.url, { signal: AbortSignal.abort() }), { status: null, error: 'interrupted' })
  t.is(receiver.connections, 0)
})

test('a head that arrived before the interruption decides', async (t) => {
  const receiver = await testReceiver(t, {
    reply: ({ path }) => (path === '/later' ? {} : { hang: 'in-body', body: 'half of it' }),
  })
  const client = await testHttpClient(t, receiver)
  const stop = new AbortController()
  const open = post(client, receiver.url, { signal: stop.signal })
  await receiver.received(1)
  // A response on a connection that was opened later arrives later.
  await post(client, `https://127.0.0.1:${receiver.port}/later`, { key: 'later' })
  stop.abort()
  t.like(await open, { status: 200, body: 'half ', error: null })
})

test('closing interrupts open requests, and nothing is sent after it', async (t) => {
  const receiver = await testReceiver(t, { reply: { hang: 'before-head' } })
  const client = await testHttpClient(t, receiver)
  const open = post(client, receiver.url)
  await receiver.received(1)
  client.close()
  t.like(await open, { status: null, error: 'interrupted' })
  t.like(await post(client, receiver.url), { status: null, error: 'interrupted' })
  await receiver.opened(0)
  t.is(receiver.requests.length, 1)
})
