import { once } from 'node:events'
import { Agent, request } from 'node:https'
import test, { type ExecutionContext } from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import { AppError, type ErrorName } from '#shared/errors.ts'
import { until } from '../../support/assertions/until.ts'
import { findProxy, type ProxyName, type RunningProxy, startProxy } from '../../support/deploy/proxies.ts'
import { makeAccount } from '../../support/http/callers.ts'
import { makeCredentials } from '../../support/http/credentials.ts'
import { startGateway } from '../../support/http/gateway.ts'
import { askOn } from '../../support/http/realtime-world.ts'
import { freePort } from '../../support/processes/free-port.ts'
import { shared } from '../../support/test-context/shared.ts'

const mib = 1024 * 1024
const publicUrl = 'https://lists.example.com'

/** One gateway for all tests; it trusts the proxies, which run on the same machine. */
const listd = shared(async (t) => {
  const env = { LISTD_GATEWAY_TRUSTED_PROXIES: '127.0.0.1,::1', LISTD_GATEWAY_PUBLIC_URL: publicUrl }
  const gateway = await startGateway(t, { routes, env })
  return { ...gateway, credentials: await makeCredentials(gateway.deps.config.dataDir) }
})

type Sent = { path: string; method?: string; headers?: Record<string, string>; body?: string; from?: string }

/** A client of a proxy, which keeps one connection. */
function clientOf(t: ExecutionContext, { port, ca }: RunningProxy) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  return async ({ path, method = 'GET', headers = {}, body = '', from = '127.0.0.1' }: Sent) => {
    const { token } = listd().credentials
    const sent = request({
      agent,
      ca,
      host: '127.0.0.1',
      port,
      path,
      method,
      localAddress: from,
      headers: { 'x-api-token': token, 'content-type': 'application/json', 'content-length': body.length, ...headers },
    })
    sent.on('error', () => {}).end(body)
    const [answer] = await once(sent, 'response')
    const text = (await answer.setEncoding('utf8').toArray()).join('')
    return { status: answer.statusCode, headers: answer.headers, json: JSON.parse(text), isReused: sent.reusedSocket }
  }
}

/** A document of this size in bytes that changes nothing. */
const documentOf = (bytes: number) => '{"lists":{}}'.padEnd(bytes)
const sync = { method: 'POST', path: '/sync-schema' }

for (const name of ['nginx', 'caddy'] satisfies ProxyName[]) {
  test(`${name} passes on requests and responses, and answers like listd when it does not pass a request on`, async (t) => {
    const program = await findProxy(name)
    if (program === null) {
      t.log(`left out: ${name} is not installed`)
      t.pass()
      return
    }
    const send = clientOf(t, await startProxy(t, { name, program, listdPort: listd().port }))

    await knowsTheClient(t, send)
    const largest = await send({ ...sync, body: documentOf(8 * mib) })
    t.is(largest.status, 200, 'the largest body that listd accepts')
    const larger = await send({ ...sync, body: documentOf(8 * mib + 1) })
    t.like(larger, { status: 413, json: { name: 'PAYLOAD_TOO_LARGE' } })
    t.regex(larger.json.message, /8,388,608 bytes/, 'the message has the limit')
    const pointer = await send({ path: '/lists/recipes/items/a%2Fb/data/x~1y%2Fz' })
    t.is(pointer.json.name, 'REQUESTED_ENTITY_NOT_FOUND', 'the path arrives as it was sent')

    isErrorOf(t, 'PAYLOAD_TOO_LARGE', await send({ ...sync, body: documentOf(10 * mib) }))
    const away = clientOf(t, await startProxy(t, { name, program, listdPort: await freePort() }))
    const unreachable = await away({ path: '/health/live' })
    isErrorOf(t, 'SERVICE_UNAVAILABLE', unreachable)
    t.true(Number(unreachable.headers['retry-after']) > 0)
  })
}

/** Configurations of the proxies. The answers of listd turn buffering off themselves, so streams also pass a proxy that buffers by default. */
const variants: [name: ProxyName, how: string, without?: RegExp][] = [
  ['nginx', 'with the configuration of the page'],
  ['nginx', 'with its default buffering', /^ *proxy_buffering off;\n/m],
  ['caddy', 'with the configuration of the page'],
]

for (const [name, how, without] of variants) {
  test(`${name}, ${how}, passes on each frame of a live stream when it is sent, and ends streams whose clients have left`, async (t) => {
    const program = await findProxy(name)
    if (program === null) {
      t.log(`left out: ${name} is not installed`)
      t.pass()
      return
    }
    const { deps, port } = listd()
    const account = await makeAccount(deps.db)
    const ask = askOn({ port }, account.user)
    await ask('POST', '/lists', { name: 'Recipes', pathName: 'recipes', realtime: true })
    const proxy = await startProxy(t, { name, program, listdPort: port, ...(without && { without }) })
    const headers = { ...account.user, 'accept-encoding': 'gzip' }
    const sent = request({
      ca: proxy.ca,
      host: '127.0.0.1',
      port: proxy.port,
      path: '/realtime?eventTypes=*',
      headers,
    })
    sent.on('error', () => {}).end()
    const [answer] = await once(sent, 'response')
    t.is(answer.headers['content-encoding'], undefined)
    let text = ''
    answer
      .setEncoding('utf8')
      .on('error', () => {})
      .on('data', (piece: string) => (text += piece))
    await until(() => text.endsWith('\n\n') && text.includes('event: ready'))
    // Each frame is small, and no later frame would flush a buffer.
    for (const title of ['Soup', 'Stew']) {
      await ask('POST', '/lists/recipes/items', { data: { title } })
      await until(() => text.includes(`"title":"${title}"`) || text)
    }
    const id = answer.headers['x-request-id']
    const hasEnded = () =>
      listd()
        .logged()
        .some(({ requestId, event }) => event === 'request.completed' && requestId === id)
    t.false(hasEnded())
    sent.destroy()
    await until(hasEnded)
  })
}

type Send = ReturnType<typeof clientOf>
type Answer = Awaited<ReturnType<Send>>

/** Asserts that listd logs the client's own address, whatever the client claims, and that the connection stays open. */
async function knowsTheClient(t: ExecutionContext, send: Send): Promise<void> {
  const first = await send({ path: '/tokens/self', headers: { 'x-forwarded-for': '203.0.113.9' }, from: '127.0.0.2' })
  t.is(first.status, 200)
  const second = await send({ path: '/tokens/self', from: '127.0.0.2' })
  t.true(second.isReused)
  const id = first.headers['x-request-id']
  const line = listd()
    .logged()
    .find(({ requestId, event }) => event === 'request.completed' && requestId === id)
  t.is(line?.clientAddress, '127.0.0.2')
}

/** Asserts an error with the form of the API's description. */
function isErrorOf(t: ExecutionContext, name: ErrorName, { status, headers, json }: Answer): void {
  const error = new AppError(name)
  t.deepEqual({ status, name: json.name, code: json.code }, { status: error.status, name, code: error.code })
  t.regex(String(headers['content-type']), /^application\/json/)
  t.deepEqual(Object.keys(json), ['name', 'code', 'message', 'requestId'])
  t.regex(json.requestId, /^[\w-]{20,}$/)
}
