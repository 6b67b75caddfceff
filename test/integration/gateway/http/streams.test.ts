import { EventEmitter, once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setImmediate as nextTick } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { type Stream, stream } from '#services/gateway/request/response.ts'
import { type Route, route } from '#services/gateway/request/route.ts'
import { until } from '../../../support/assertions/until.ts'
import { call } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { heldRoute } from '../../../support/http/held-route.ts'

/** A route that answers with these pieces. */
function streaming(body: Stream): Route {
  return route({
    method: 'GET',
    path: '/stream',
    operationId: 'test',
    about: 'A stream of a test.',
    response: { 200: {} },
    permission: 'public',
    streams: true,
    handle: async () => stream(body, { type: 'text/event-stream; charset=utf-8' }),
  })
}

/** A stream that sends "open", and ends when its signal is aborted. */
const untilAborted = streaming(async function* (signal) {
  yield 'open\n'
  if (!signal.aborted) await once(signal, 'abort')
  yield 'aborted\n'
})

test('a stream is sent while it is generated, and logged when it has ended', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const twoPieces = streaming(async function* () {
    yield 'first '
    await promise
    yield Buffer.from('ärger')
  })
  const gateway = await startGateway(t, { routes: [twoPieces] })
  const { response, text } = await open(t, gateway)
  await until(() => text() === 'first ' || text())
  t.deepEqual(lines(gateway), [])
  resolve()
  await once(response, 'end')
  t.is(text(), 'first ärger')
  t.like(response.headers, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' })
  t.is(response.headers['content-length'], undefined)
  await until(() => lines(gateway).length === 1)
  const [line] = lines(gateway)
  t.like(line, { status: 200, bytes: 12, requestId: response.headers['x-request-id'] })
  t.is(typeof line?.durationMs, 'number')
})

test('a stream ends with its reader; until then it counts toward the limit of streams', async (t) => {
  const gateway = await startGateway(t, { routes: [untilAborted], limits: { streams: 1 } })
  const first = await open(t, gateway)
  const rejected = await call(gateway.port, { path: '/stream' })
  t.like(rejected, { status: 503, json: { name: 'SERVICE_UNAVAILABLE' }, headers: { 'retry-after': '1' } })
  t.like(lines(gateway), [{ status: 503, reason: 'too many streams are open' }])
  first.response.destroy()
  await until(() => lines(gateway).length === 2)
  t.like(lines(gateway)[1], { status: 200, bytes: 'open\n'.length, error: undefined })
  const second = await open(t, gateway)
  await until(() => second.text() === 'open\n' || second.text())
})

test('streams and requests in flight have separate limits', async (t) => {
  const { route: held, started, release } = heldRoute()
  const gateway = await startGateway(t, { routes: [held, untilAborted], limits: { inFlight: 1 } })
  const early = await open(t, gateway)
  const answer = call(gateway.port, { method: 'POST', path: '/held' })
  await until(() => started.count === 1)
  t.is((await call(gateway.port, { method: 'POST', path: '/held' })).status, 503)
  const late = await open(t, gateway)
  for (const { text } of [early, late]) await until(() => text() === 'open\n' || text())
  release()
  t.is((await answer).status, 200)
})

test('a piece is requested when the reader has read the previous one', async (t) => {
  const bytes = 16 * 1024 * 1024 // more than the kernel buffers for a connection
  let created = 0
  const large = streaming(async function* () {
    for (; created < 3; created++) yield '5'.repeat(bytes)
  })
  const gateway = await startGateway(t, { routes: [large] })
  const response = await ask(t, gateway.port)
  for (let n = 0; n < 20; n++) {
    t.is((await call(gateway.port, { path: '/nothing' })).status, 404)
    await nextTick()
  }
  t.is(created, 0, 'nothing is requested after the first piece')
  let read = 0
  for await (const chunk of response) read += chunk.length
  t.is(read, 3 * bytes)
})

test('a drain aborts a stream, which ends normally; one that does not end is cut off after the drain time', async (t) => {
  const never = streaming(async function* () {
    yield 'open\n'
    await new Promise(() => {})
  })
  const routes = [untilAborted, { ...never, path: '/never' }]
  const gateway = await startGateway(t, { routes, limits: { drainMs: 200 } })
  const aborted = await open(t, gateway)
  const endless = await open(t, gateway, '/never')
  for (const { text } of [aborted, endless]) await until(() => text() === 'open\n' || text())
  const closed = gateway.server.close()
  await once(aborted.response, 'end')
  t.is(aborted.text(), 'open\naborted\n')
  await closed
  t.true(aborted.response.complete)
  t.false(endless.response.complete)
  t.like(lines(gateway), [
    { route: '/stream', status: 200, bytes: 13 },
    { route: '/never', status: 200, bytes: 5 },
  ])
  t.like(
    gateway.logged().find(({ event }) => event === 'gateway.drain_timed_out'),
    { requests: 0, responses: 1 },
  )
})

test('an aborted stream may end with a failed wait', async (t) => {
  const waiting = streaming(async function* (signal) {
    yield 'open\n'
    await once(new EventEmitter(), 'never', { signal })
  })
  const gateway = await startGateway(t, { routes: [waiting] })
  const { response, text } = await open(t, gateway)
  await until(() => text() === 'open\n' || text())
  await Promise.all([once(response, 'end'), gateway.server.close()])
  t.true(response.complete)
  t.like(lines(gateway), [{ status: 200, bytes: 5, error: undefined }])
})

test('a failed stream is cut off, and its error is logged', async (t) => {
  const failing = streaming(async function* () {
    yield 'open\n'
    throw new Error('the source is gone')
  })
  const gateway = await startGateway(t, { routes: [failing] })
  const { response } = await open(t, gateway)
  await until(() => lines(gateway).length === 1)
  t.like(lines(gateway)[0], { status: 200, bytes: 5, error: 'INTERNAL_ERROR' })
  await until(() => response.destroyed)
  t.false(response.complete)
  const failed = gateway.logged().find(({ event }) => event === 'request.failed')
  t.regex(JSON.stringify(failed), /the source is gone/)
})

test('a HEAD request to a stream gets no pieces', async (t) => {
  const gateway = await startGateway(t, { routes: [untilAborted] })
  const { status, text, headers } = await call(gateway.port, { method: 'HEAD', path: '/stream' })
  t.deepEqual([status, text, headers['content-type']], [200, '', 'text/event-stream; charset=utf-8'])
  t.like(lines(gateway), [{ method: 'HEAD', status: 200, bytes: 0 }])
})

/** The log lines of requests that have ended. */
function lines({ logged }: TestGateway) {
  return logged().filter(({ event }) => event === 'request.completed')
}

/** A stream that is read as it arrives. */
async function open(t: ExecutionContext, { port }: TestGateway, path?: string) {
  const response = await ask(t, port, path)
  let text = ''
  response.setEncoding('utf8').on('data', (piece) => {
    text += piece
  })
  response.on('error', () => {}) // the connection may be cut off
  return { response, text: () => text }
}

/** A stream of which nothing is read yet. */
async function ask(t: ExecutionContext, port: number, path = '/stream'): Promise<IncomingMessage> {
  const sent = request({ port, host: '127.0.0.1', path, agent: false }).end()
  t.teardown(() => sent.destroy())
  const [response] = await once(sent, 'response')
  return response
}
