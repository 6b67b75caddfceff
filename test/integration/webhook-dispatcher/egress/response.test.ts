import { gzipSync } from 'node:zlib'
import test from 'ava'
import { atLeast, atMost } from '../../../support/assertions/bounds.ts'
import { post, testHttpClient, testReceiver } from '../../../support/receivers/egress.ts'
import type { Reply } from '../../../support/receivers/reply.ts'

test('any 2xx succeeds, anything else is a separate status, and neither is an error', async (t) => {
  const receiver = await testReceiver(t)
  const client = await testHttpClient(t, receiver)
  for (const status of [200, 201, 204, 299, 304, 400, 401, 404, 410, 429, 500, 503, 999]) {
    receiver.reply = { status, headers: status === 204 || status === 304 ? { 'content-length': '0' } : {} }
    t.like(await post(client, receiver.url), { status, body: '', error: null }, `${status}`)
  }
})

for (const status of [301, 302, 303, 307, 308]) {
  test(`a redirect with ${status} is not followed and its target gets nothing`, async (t) => {
    const target = await testReceiver(t)
    const receiver = await testReceiver(t, { reply: { status, headers: { location: target.url } } })
    const client = await testHttpClient(t, receiver)
    t.like(await post(client, receiver.url), { status, error: null })
    t.is(target.connections, 0)
    t.is(receiver.requests.length, 1)
  })
}

for (const [claim, fields] of [
  ['with upgrade headers', 'connection: upgrade\r\nupgrade: websocket\r\n'],
  ['without', ''],
]) {
  test(`a 101 ${claim} ends the attempt at once as a protocol error`, async (t) => {
    const receiver = await testReceiver(t, { reply: { raw: `HTTP/1.1 101 Switching Protocols\r\n${fields}\r\n` } })
    const client = await testHttpClient(t, receiver)
    t.like(await post(client, receiver.url), { status: null, body: '', error: 'protocol' })
    await receiver.opened(0)
  })
}

const answer = 'HTTP/1.1 201 Created\r\ncontent-length: 4\r\n\r\ndone'
const interim: [string, string][] = [
  ['100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['100 Continue with headers', 'HTTP/1.1 100 Continue\r\nx-a: b\r\n\r\n'],
  ['two 100 Continue', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'],
  ['100 Continue after others', 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'],
  ['head of 8,000 bytes with a status below 200', `HTTP/1.1 103 Early Hints\r\nlink: <${'a'.repeat(8_000)}>\r\n\r\n`],
  ['102 and 103', 'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'],
]
for (const [claim, queues] of interim) {
  test(`an unrequested ${claim} before the response does no harm`, async (t) => {
    const receiver = await testReceiver(t, { reply: { raw: queues + answer } })
    const client = await testHttpClient(t, receiver)
    for (const round of [1, 2])
      t.like(await post(client, receiver.url), { status: 201, body: 'done', error: null }, `${round}`)
    t.is(receiver.connections, 1)
  })
}

test('a 100 Continue in pieces does no harm', async (t) => {
  const receiver = await testReceiver(t, { reply: { pieces: [...'HTTP/1.1 100 Continue\r\n\r\n', ...answer] } })
  const client = await testHttpClient(t, receiver)
  t.like(await post(client, receiver.url), { status: 201, body: 'done', error: null })
})

const notHttp: [string, Reply][] = [
  ['anything that is not HTTP', { raw: 'SSH-2.0-OpenSSH_9.2\r\n\r\n' }],
  ['a status below 100', { raw: 'HTTP/1.1 099 Odd\r\ncontent-length: 0\r\n\r\n' }],
  ['a head over 16 KiB', { headers: { 'x-long': 'x'.repeat(17_000) } }],
  ['a status line without end', { raw: `HTTP/1.1 200 ${'x'.repeat(200_000)}` }],
]
for (const [claim, reply] of notHttp) {
  test(`${claim} as response is a protocol error`, async (t) => {
    const receiver = await testReceiver(t, { reply })
    const client = await testHttpClient(t, receiver)
    t.like(await post(client, receiver.url), { status: null, body: '', error: 'protocol' })
    await receiver.opened(0)
  })
}

for (const stop of ['before-head', 'in-head'] as const) {
  for (const act of ['reset', 'close'] as const) {
    test(`a connection that breaks ${stop} (${act}) is a connection error`, async (t) => {
      const receiver = await testReceiver(t, { reply: { [act]: stop } })
      const client = await testHttpClient(t, receiver)
      t.like(await post(client, receiver.url), { status: null, error: 'connection' })
      t.is(receiver.requests.length, 1)
    })
  }
}

for (const act of ['reset', 'close'] as const) {
  test(`a 2xx head succeeds although the connection breaks in the body (${act})`, async (t) => {
    const receiver = await testReceiver(t, { reply: { [act]: 'in-body', body: 'half of it' } })
    const client = await testHttpClient(t, receiver)
    t.like(await post(client, receiver.url), { status: 200, body: 'half ', error: null })
  })
}

test('a body longer than its content-length does not matter', async (t) => {
  const receiver = await testReceiver(t, {
    reply: { headers: { 'content-length': '2' }, body: 'okHTTP/1.1 500 No\r\n\r\n' },
  })
  const client = await testHttpClient(t, receiver)
  t.like(await post(client, receiver.url), { status: 200, body: 'ok', error: null })
  receiver.reply = { status: 202 }
  t.like(await post(client, receiver.url), { status: 202, error: null })
})

test('only the first 4 KiB of a huge body are kept and the socket is destroyed', async (t) => {
  const receiver = await testReceiver(t, { reply: { floodBytes: 1_000_000_000 } })
  const client = await testHttpClient(t, receiver)
  t.like(await post(client, receiver.url), { status: 200, body: 'x'.repeat(4096), error: null })
  await receiver.opened(0)
})

test('endless chunk extensions do not delay the attempt', async (t) => {
  const raw = `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;${'x'.repeat(300_000)}`
  const receiver = await testReceiver(t, { reply: { raw } })
  const client = await testHttpClient(t, receiver)
  t.like(await post(client, receiver.url), { status: 200, error: null })
  await receiver.opened(0)
})

test('no encoding is requested and none is decoded', async (t) => {
  const bomb = gzipSync(Buffer.alloc(2_000_000, 'a'))
  const receiver = await testReceiver(t, { reply: { headers: { 'content-encoding': 'gzip' }, body: bomb } })
  const client = await testHttpClient(t, receiver)
  const { status, body } = await post(client, receiver.url)
  t.is(status, 200)
  atLeast(t, bomb.length, 1_001, 'bytes sent')
  atMost(t, body.length, 4096, 'characters kept')
  t.notRegex(body, /aaaa/)
  t.is(receiver.requests[0]?.headers['accept-encoding'], undefined)
})

test('a body of exactly 4 KiB keeps the connection, one byte more destroys it', async (t) => {
  const receiver = await testReceiver(t, { reply: { body: 'a'.repeat(4096) } })
  const client = await testHttpClient(t, receiver)
  for (const round of [1, 2]) t.is((await post(client, receiver.url)).body.length, 4096, `${round}`)
  t.is(receiver.connections, 1)
  receiver.reply = { body: 'a'.repeat(4097) }
  t.is((await post(client, receiver.url)).body.length, 4096)
  t.is((await post(client, receiver.url)).body.length, 4096)
  t.is(receiver.connections, 2)
})

test('a character that is cut at 4 KiB is left out', async (t) => {
  const receiver = await testReceiver(t, { reply: { body: `a${'é'.repeat(3_000)}` } })
  const client = await testHttpClient(t, receiver)
  t.is((await post(client, receiver.url)).body, `a${'é'.repeat(2_047)}`)
})

test('a body is decoded leniently and contains no U+0000', async (t) => {
  const receiver = await testReceiver(t, { reply: { body: Buffer.from([0x61, 0xff, 0x00, 0xf0, 0x9f, 0x98, 0x80]) } })
  const client = await testHttpClient(t, receiver)
  t.is((await post(client, receiver.url)).body, 'a\ufffd\ufffd😀')
})
