import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import test, { type ExecutionContext } from 'ava'
import type { HttpLimits } from '#services/gateway/http/limits.ts'
import { until } from '../../../support/assertions/until.ts'
import { call, callRaw } from '../../../support/http/client.ts'
import { startGateway } from '../../../support/http/gateway.ts'
import { head, heldRoute, parse, quick } from '../../../support/http/held-route.ts'

const malformed: Record<string, string> = {
  'bytes that are not HTTP': 'hello\r\n\r\n',
  'a header with a space in its name': 'GET /quick HTTP/1.1\r\nhost: a\r\nx y: 1\r\n\r\n',
  'a control character in a header': 'GET /quick HTTP/1.1\r\nhost: a\r\nx: \x01\r\n\r\n',
  'content-length and transfer-encoding': head(
    'POST /held HTTP/1.1',
    'content-length: 1',
    'transfer-encoding: chunked',
  ),
  'two lengths': head('POST /held HTTP/1.1', 'content-length: 1', 'content-length: 2'),
  'a broken chunk': `${head('POST /held HTTP/1.1', 'content-type: application/json', 'transfer-encoding: chunked')}zz\r\n`,
  'lines without carriage returns': 'GET /quick HTTP/1.1\nhost: a\n\n',
  'a line that begins with a space': head('GET /quick HTTP/1.1', 'x: 1', ' 2'),
  'the same length twice': head('POST /held HTTP/1.1', 'content-length: 1', 'content-length: 1'),
  'a length with a sign': head('POST /held HTTP/1.1', 'content-length: +1'),
  'a list of lengths': head('POST /held HTTP/1.1', 'content-length: 1, 1'),
  'a space in the address': head('GET /quick quick HTTP/1.1'),
}
for (const [what, bytes] of Object.entries(malformed)) {
  test(`${what} is 400 in the form of the contract, and the connection closes`, async (t) => {
    const { port } = await startGateway(t, { routes: [quick, heldRoute().route] })
    const { status, headers, body } = parse(await callRaw(port, bytes))
    t.is(status, 400)
    t.like(body, { name: 'VALIDATION_FAILED', code: 10_001 })
    t.true(headers.includes(`x-request-id: ${body.requestId}`))
    t.true(headers.includes('connection: close'))
  })
}

test('a missing or doubled host is 400', async (t) => {
  const { port } = await startGateway(t, { routes: [quick] })
  for (const hosts of ['', 'host: a\r\nhost: b\r\n']) {
    const answer = await callRaw(port, `GET /quick HTTP/1.1\r\n${hosts}connection: close\r\n\r\n`)
    t.like(parse(answer), { status: 400, body: { name: 'VALIDATION_FAILED' } })
  }
})

test('headers that do not end in time are 408', async (t) => {
  const { port } = await startGateway(t, { routes: [quick], limits: { headersMs: 100, requestMs: 100, checkMs: 20 } })
  const { status, body } = parse(await callRaw(port, 'GET /quick HTTP/1.1\r\nx: '))
  t.is(status, 408)
  t.like(body, { name: 'REQUEST_TIMEOUT' })
})

test('a body that does not end in time is 408', async (t) => {
  const { route, started } = heldRoute()
  const { port } = await startGateway(t, { routes: [route], limits: { headersMs: 100, requestMs: 200, checkMs: 20 } })
  const slow = head('POST /held HTTP/1.1', 'content-type: application/json', 'content-length: 10')
  t.is(parse(await callRaw(port, slow, '{')).status, 408)
  t.is(started.count, 0)
})

test('a connection without a request is closed', async (t) => {
  const { port } = await startGateway(t, { routes: [quick], limits: { idleMs: 50, checkMs: 20 } })
  const answer = await callRaw(port, head('GET /quick HTTP/1.1'))
  t.true(answer.startsWith('HTTP/1.1 200'))
})

test('connections without a request lock no other client out: the one that has been silent longest is closed', async (t) => {
  const { port, logged } = await startGateway(t, { routes: [quick], limits: { connections: 3 } })
  const silent = await silentConnections(t, port, 3)
  t.is((await call(port, { path: '/quick' })).status, 200)
  await until(async () => silent.some(({ destroyed }) => destroyed), { what: 'the end of a silent connection' })
  t.deepEqual(silent.map(({ destroyed }) => destroyed), [true, false, false]) // biome-ignore format: one line
  t.like(
    logged().filter(({ event }) => event === 'connections.limited'),
    { length: 1, 0: { closed: 1, max: 3 } },
  )
})

test('a new connection is closed rather than one with a request in flight', async (t) => {
  const { route, started, release } = heldRoute()
  const { port } = await startGateway(t, { routes: [route, quick], limits: { connections: 2 } })
  const held = [1, 2].map(() => call(port, { method: 'POST', path: '/held' }))
  await until(async () => started.count === 2)
  t.is(await callRaw(port, head('GET /quick HTTP/1.1')), '')
  release()
  t.deepEqual((await Promise.all(held)).map(({ status }) => status), [200, 200]) // biome-ignore format: one line
  await until(async () => (await call(port, { path: '/quick' }).catch(() => null))?.status === 200)
})

const rejections: [claim: string, bytes: string, status: string, limits?: Partial<HttpLimits>][] = [
  ['is silent', '', '408', { headersMs: 100, checkMs: 20 }],
  ['sends bytes that are not HTTP', 'hello\r\n\r\n', '400'],
  ['asks for a tunnel', 'CONNECT a:80 HTTP/1.1\r\nhost: a:80\r\n\r\n', '405'],
]
for (const [claim, bytes, status, limits = {}] of rejections) {
  test(`a client that ${claim} and never closes its end gets ${status} and is disconnected`, async (t) => {
    const { port } = await startGateway(t, { routes: [quick], limits })
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    t.teardown(() => socket.destroy())
    socket.write(bytes)
    const [answer] = await once(socket, 'data')
    t.is(String(answer).split(' ')[1], status)
    // Bytes to a closed connection reset it.
    socket.on('error', () => {})
    await until(
      async () => {
        socket.write('x')
        return socket.destroyed
      },
      { what: 'the end of the connection' },
    )
    t.pass()
  })
}

async function silentConnections(t: ExecutionContext, port: number, count: number) {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').resume())
  t.teardown(() => sockets.forEach((socket) => void socket.destroy()))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  return sockets
}

test('requests beyond the bound are 503 with retry-after, but health still responds', async (t) => {
  const { route, started, release } = heldRoute()
  const { port } = await startGateway(t, { routes: [route, quick], limits: { inFlight: 2 } })
  const held = [1, 2].map(() => call(port, { method: 'POST', path: '/held' }))
  await until(async () => started.count === 2)
  const rejected = await call(port, { method: 'POST', path: '/held' })
  t.is(rejected.status, 503)
  t.is(rejected.json?.name, 'SERVICE_UNAVAILABLE')
  t.is(rejected.headers['retry-after'], '1')
  t.is((await call(port, { path: '/quick' })).status, 200)
  release()
  t.deepEqual(
    (await Promise.all(held)).map(({ status }) => status),
    [200, 200],
  )
  t.is((await call(port, { method: 'POST', path: '/held' })).status, 200)
})

test('a slow body does not delay other requests', async (t) => {
  const { route, release } = heldRoute()
  release()
  const { port } = await startGateway(t, { routes: [route], limits: { inFlight: 1 } })
  const slow = connect(port, '127.0.0.1')
  t.teardown(() => slow.destroy())
  slow.write(`${head('POST /held HTTP/1.1', 'content-length: 10', 'expect: 100-continue')}{`)
  await once(slow, 'data')
  t.is((await call(port, { method: 'POST', path: '/held' })).status, 200)
})

test('bodies beyond the memory for them are 503, and the memory is released', async (t) => {
  const { route, started, release } = heldRoute()
  const { port } = await startGateway(t, { routes: [route], limits: { bodyBytes: 100_000 } })
  const body = { text: 'x'.repeat(60_000) }
  const held = call(port, { method: 'POST', path: '/held', body })
  await until(async () => started.count === 1)
  t.is((await call(port, { method: 'POST', path: '/held', body })).status, 503)
  release()
  t.is((await held).status, 200)
  t.is((await call(port, { method: 'POST', path: '/held', body })).status, 200)
  t.is(
    (
      await call(port, {
        method: 'POST',
        path: '/held',
        headers: { 'content-type': 'application/json' },
        body: '{'.repeat(60_000),
      })
    ).status,
    400,
  )
  t.is((await call(port, { method: 'POST', path: '/held', body })).status, 200)
})

for (const length of ['9007199254740992', '18446744073709551615']) {
  test(`a body with a declared length of ${length} bytes is rejected at once`, async (t) => {
    const { port } = await startGateway(t, { routes: [heldRoute().route] })
    const socket = connect(port, '127.0.0.1')
    t.teardown(() => socket.destroy())
    socket.write(head('POST /held HTTP/1.1', 'content-type: application/json', `content-length: ${length}`))
    const [answer] = await once(socket, 'data')
    t.is(parse(String(answer)).status, 413)
  })
}

test('the last response of a connection waits for the body, so that a client that still sends it is not cut off', async (t) => {
  const { port } = await startGateway(t, { routes: [heldRoute().route] })
  const socket = connect(port, '127.0.0.1')
  const half = 'x'.repeat(100_000)
  // It rejects with an error that occurs before the close.
  const closed = once(socket, 'close')
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    answer += chunk
  })
  socket.write(head('POST /held HTTP/1.1', 'connection: close', 'content-length: 200000'))
  await new Promise((resolve) => socket.write(half, resolve))
  t.is(answer, '')
  socket.write(half)
  await closed
  t.is(parse(answer).status, 413)
})

test('an early response does not wait for the body, and the connection stays usable', async (t) => {
  const { port } = await startGateway(t, { routes: [quick, heldRoute().route] })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  const sent = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/held',
    agent,
    headers: { 'content-length': 200_000 },
  })
  sent.write('x'.repeat(100_000))
  const [rejected] = await once(sent, 'response')
  t.is(rejected.statusCode, 413)
  rejected.resume()
  sent.end('x'.repeat(100_000))
  await once(rejected, 'end')
  const next = request({ port, host: '127.0.0.1', path: '/quick', agent })
  next.end()
  const [answer] = await once(next, 'response')
  t.is(answer.statusCode, 200)
  t.true(next.reusedSocket)
})

test('a client that leaves in the middle of its body gets no response and counts as disconnected', async (t) => {
  const { route, started } = heldRoute()
  const gateway = await startGateway(t, { routes: [route] })
  const socket = connect(gateway.port, '127.0.0.1')
  const headers = ['content-type: application/json', 'content-length: 10', 'expect: 100-continue']
  socket.write(`${head('POST /held HTTP/1.1', ...headers)}{`)
  // The answer "100 Continue" means that the request has arrived.
  await once(socket, 'data')
  socket.destroy()
  await until(async () => gateway.logged().some(({ status }) => status === 499))
  t.is(started.count, 0)
})

test('garbage after a complete request does not prevent its response', async (t) => {
  const { route, started, release } = heldRoute()
  const { port } = await startGateway(t, { routes: [route] })
  const answer = callRaw(port, head('POST /held HTTP/1.1', 'content-length: 0'), 'garbage\r\n\r\n')
  await until(async () => started.count === 1)
  release()
  t.regex(await answer, /^HTTP\/1\.1 200 [\s\S]*{"done":true}$/)
})

test('closing finishes requests in progress, accepts no new ones and ends kept connections', async (t) => {
  const { route, started, release } = heldRoute()
  const { port, server } = await startGateway(t, { routes: [route, quick] })
  const idle = connect(port, '127.0.0.1')
  idle.write(head('GET /quick HTTP/1.1'))
  await once(idle, 'data')
  const held = call(port, { method: 'POST', path: '/held', headers: { connection: 'keep-alive' } })
  await until(async () => started.count === 1)
  const closed = server.close()
  await once(idle, 'close')
  await t.throwsAsync(call(port, { path: '/quick' }))
  release()
  const { status, headers } = await held
  t.is(status, 200)
  t.is(headers.connection, 'close')
  await t.notThrowsAsync(closed)
})

test('closing answers 503 to requests that take longer than the drain time, uploads included, and logs it', async (t) => {
  const { route, started, release } = heldRoute()
  const { port, server, logged } = await startGateway(t, { routes: [route], limits: { drainMs: 50 } })
  const held = call(port, { method: 'POST', path: '/held' })
  await until(async () => started.count === 1)
  // The answer "100 Continue" means that the upload is under way.
  const upload = connect(port, '127.0.0.1')
  const expecting = ['content-type: application/json', 'content-length: 9', 'expect: 100-continue']
  upload.write(head('POST /held HTTP/1.1', ...expecting))
  t.regex(String((await once(upload, 'data'))[0]), /^HTTP\/1\.1 100 /)
  const answer = text(upload)
  const closed = server.close()
  const { status, headers } = await held
  t.like({ status, ...headers }, { status: 503, connection: 'close', 'retry-after': '1' })
  t.like(parse(await answer), { status: 503, body: { name: 'SERVICE_UNAVAILABLE' } })
  release()
  await closed
  const about = (event: string) => logged().filter((line) => line.event === event)
  t.deepEqual(
    about('request.completed').map((line) => line.status),
    [503, 503],
  )
  t.like(about('gateway.drain_timed_out'), { length: 1, 0: { requests: 2, responses: 0 } })
})
