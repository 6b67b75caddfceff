import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import { json } from '#services/gateway/request/response.ts'
import type { Route } from '#services/gateway/request/route.ts'
import { until } from '../../../support/assertions/until.ts'
import { call, callRaw } from '../../../support/http/client.ts'
import { startGateway } from '../../../support/http/gateway.ts'
import { head, heldRoute, quick } from '../../../support/http/held-route.ts'

test('pipelined requests of one connection are handled one after the other', async (t) => {
  const { route, started, release } = heldRoute()
  const { port } = await startGateway(t, { routes: [route, quick] })
  const sent = [
    head('POST /held HTTP/1.1'),
    head('POST /held HTTP/1.1'),
    head('GET /quick HTTP/1.1', 'connection: close'),
  ]
  const answer = callRaw(port, sent.join(''))
  await until(async () => started.count === 1)
  t.is((await call(port, { path: '/quick' })).status, 200)
  t.is(started.count, 1)
  release()
  t.deepEqual((await answer).match(/HTTP\/1.1 \d+|{.*?}/g), [
    'HTTP/1.1 200',
    '{"done":true}',
    'HTTP/1.1 200',
    '{"done":true}',
    'HTTP/1.1 200',
    '{}',
  ])
})

test('a connection with too many waiting requests is closed, and none of them is begun', async (t) => {
  const { route, started, release } = heldRoute()
  const { port } = await startGateway(t, { routes: [route], limits: { pipelined: 2 } })
  const socket = connect(port, '127.0.0.1').resume()
  t.teardown(() => socket.destroy())
  socket.write(head('POST /held HTTP/1.1'))
  await until(async () => started.count === 1)
  socket.write(head('POST /held HTTP/1.1').repeat(3))
  await until(async () => socket.destroyed, { what: 'the end of the connection' })
  release()
  t.is((await call(port, { method: 'POST', path: '/held' })).status, 200)
  t.is(started.count, 2)
})

test('unread responses are held within a bound: the one that waits longest is cut off', async (t) => {
  const bytes = 16 * 1024 * 1024 // more than the kernel buffers for a connection
  const large: Route = { ...quick, path: '/large', handle: async () => json('5'.repeat(bytes)) }
  const { port, logged } = await startGateway(t, { routes: [large], limits: { unreadBytes: 2.5 * bytes } })
  const unread = []
  for (let n = 1; n <= 3; n++) {
    unread.push(await ask(t, port, '/large'))
    await until(async () => logged().filter(({ status }) => status === 200).length === n)
  }
  const taken = await Promise.all(unread.map(countBytes))
  t.true((taken[0] ?? bytes) < bytes, `${taken[0]} bytes`)
  t.deepEqual(taken.slice(1), [bytes, bytes])
})

test('responses whose clients have left do not count', async (t) => {
  const bytes = 16 * 1024 * 1024
  const { promise, resolve } = Promise.withResolvers<void>()
  const answer = json('5'.repeat(bytes))
  const large: Route = { ...quick, path: '/large', handle: async () => answer }
  let begun = 0
  async function handle() {
    begun++
    await promise
    return answer
  }
  const routes = [large, { ...quick, path: '/slow', handle }]
  const { port, logged } = await startGateway(t, { routes, limits: { unreadBytes: 2.5 * bytes } })
  const unread = await ask(t, port, '/large')
  const leaving = [1, 2, 3].map(() => connect(port, '127.0.0.1'))
  for (const socket of leaving) socket.write(head('GET /slow HTTP/1.1'))
  await until(() => begun === 3 || begun)
  for (const socket of leaving) socket.destroy()
  await until(async () => (await call(port, { path: '/large' })).text.length === bytes)
  resolve()
  await until(() => logged().filter(({ route }) => route === '/slow').length === 3)
  t.is(await countBytes(unread), bytes)
})

/** An answer of which nothing is read yet. */
async function ask(t: ExecutionContext, port: number, path: string): Promise<IncomingMessage> {
  const sent = request({ port, host: '127.0.0.1', path, agent: false }).end()
  t.teardown(() => sent.destroy())
  const [response] = await once(sent, 'response')
  return response
}

async function countBytes(response: IncomingMessage): Promise<number> {
  let count = 0
  response.on('data', (chunk) => {
    count += chunk.length
  })
  response.on('error', () => {}) // the connection may be cut off
  await new Promise((resolve) => response.on('close', resolve))
  return count
}
