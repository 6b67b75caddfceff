import test from 'ava'
import { createClient } from '#client/src/client.ts'
import { type Manager, manage } from '#client/src/manage.ts'
import { entryMethods } from '#shared/domain/flow/language/properties.ts'
import openapi from '../../fixtures/openapi.json' with { type: 'json' }
import { findRoute } from '../../support/http/answers/described-answers.ts'

type Parameter = { name: string; in: string }

/** Routes without a method, and the reason. */
const withoutMethod = {
  'GET /': 'a page for people',
  'GET /setup': 'a page for people',
  'GET /openapi.json': 'for programs that generate clients',
  'GET /realtime': 'a stream, which listd-client/realtime reads',
  'GET /health/live': 'for what watches processes',
  'GET /health/ready': 'for what watches processes; an answer that says what is wrong is not an error',
}

/** Functions that send nothing on their own. */
const sendsNothing = ['list', 'with', 'send', 'list.send', 'identities.resume']

/** A client that records each request with its route, and sends nothing. */
function recorder() {
  const sent: { route: string; query: string[]; headers: string[] }[] = []
  const client = createClient({
    url: 'http://listd.test',
    token: 'secret',
    async fetch(input, init = {}) {
      const { pathname, searchParams } = new URL(String(input))
      const found = findRoute({ method: init.method ?? '', path: pathname })
      sent.push({
        route: found ? `${found.method} ${found.path}` : `${init.method} ${pathname}, which is no route`,
        query: [...searchParams.keys()],
        headers: Object.keys(init.headers ?? {}),
      })
      return Response.json({ id: 'x', data: [], next: null, token: 'x', group: null, total: 0 })
    },
  })
  return { sent, client, manager: manage(client) }
}

/** Every method of an object and of the objects in it, by its path. */
function methodsOf(value: object, path = ''): [string, (...args: unknown[]) => unknown][] {
  return Object.entries(value).flatMap(([name, member]) => {
    if (typeof member === 'function') return [[`${path}${name}`, member] as [string, () => unknown]]
    return member && typeof member === 'object' ? methodsOf(member, `${path}${name}.`) : []
  })
}

/** Arguments of methods, by the name of the method: `options` are the last argument. */
const fields = { name: 'x' }
const pageOptions = { where: { activated: true }, order: 'createdAt', direction: 'asc', limit: 5 }
const eventsOptions = {
  where: { type: 'item-created' },
  startAt: new Date(0),
  endAt: new Date(0),
  includeSnapshot: true,
}
const write = { includeData: false, includeGuarded: true, dryRun: true }
const argumentsOf: Record<string, unknown[]> = {
  'list.create': [{ data: 1 }, write],
  'list.get': ['x', { includeData: false, includeGuarded: true, version: '1.0.0', fields: ['/a', '/b'], path: '$' }],
  'list.update': ['x', { data: 1 }, write],
  'list.delete': ['x', write],
  'list.items': [{ ...pageOptions, includeGuarded: true, fields: ['/a'], path: '$' }],
  'list.batch': [[{ op: 'delete', item: 'x' }], write],
  'list.search': ['soup', { includeItems: true, includeGuarded: true, prefix: true, match: 'all' }],
  'list.value': ['x', '/a', { includeGuarded: true, version: '1.0.0', fields: ['/a'], path: '$' }],
  'list.values': ['/a', { ...pageOptions, includeGuarded: true, fields: ['/a'], path: '$' }],
  'list.set': ['x', '/a', 1, write],
  'list.remove': ['x', '/a', write],
  'list.merge': ['x', { a: 1 }, { ...write, pointer: '/a', merge: 'rfc7396' }],
  'list.patch': ['x', [], { ...write, pointer: '/a' }],
  'list.events': ['x', { ...eventsOptions, includeGuarded: true }],
  'list.event': ['x', 'x', { includeGuarded: true }],
  'list.restore': ['x', 'x', write],
  'flowDefinitions.format': [],
  'flows.call': ['x', { input: 'x' }],
  'sync.plan': [{ lists: {} }, { allowRebuild: true, prune: true, allowDestructive: true }],
  'sync.export': [{ scope: 'kitchen', tagged: ['a', 'b'], lists: ['notes'] }],
  'sync.move': [{ lists: ['notes'], scope: null }, { dryRun: true }],
  'sync.apply': [{ lists: {} }, { planHash: 'x' }],
  'identities.providers': [{ group: 'x' }],
  'flowRuns.all': [
    { where: { flowId: 'x', status: 'failed', trigger: 'hand' }, startAt: new Date(0), endAt: new Date(0) },
  ],
  'groups.all': [{ where: { name: 'x' } }],
  'webhooks.stats': ['x'],
  'webhooks.sign': ['x', ['x']],
  'webhooks.verify': ['x', { headers: {}, body: '{}' }],
  'webhooks.redeliverFailed': ['x', new Date(0)],
  'webhooks.redeliverMatching': ['x', { status: 'settled', error: 'tls' }, { dryRun: true }],
  'webhooks.redeliverAll': [{ status: 'failed', since: new Date(0) }, { dryRun: true }],
  'webhooks.allDeliveries': [{ where: { error: 'tls', webhookId: 'x' }, startAt: new Date(0), endAt: new Date(0) }],
}
/** Arguments by the last part of the method's path, for methods whose whole path is not above. */
const argumentsByName: Record<string, unknown[]> = {
  create: [fields],
  try: [fields],
  register: [fields],
  login: [fields],
  setUp: [fields],
  logout: [],
  requestPasswordReset: [fields],
  resetPassword: [fields],
  requestEmailVerification: [fields],
  verifyEmail: [fields],
  all: [pageOptions],
  get: ['x'],
  update: ['x', fields],
  delete: ['x'],
  rebuild: ['x'],
  stats: ['x', { days: 30 }],
  events: ['x', eventsOptions],
  event: ['x', 'x'],
  ownToken: [],
  format: [],
  sessions: [],
  session: ['x'],
  endSession: ['x'],
  endSessions: [],
  replaceSecret: ['x'],
  clearMissed: ['x'],
  ping: ['x'],
  deliveries: ['x'],
  delivery: ['x', 'x'],
  redeliver: ['x', 'x'],
  rotate: ['x'],
  countVisible: ['x', fields],
  replace: ['x', fields],
  versions: ['x'],
  version: ['x', 1],
  check: [fields],
  run: ['x', fields],
  repeat: ['x', fields],
}
const ofOneself: Record<string, unknown[]> = {
  'self.get': [],
  'self.update': [fields],
  'self.delete': [],
  'auth.get': [],
  'auth.find': [],
  'auth.update': [fields],
  'auth.preferences': [],
  'auth.replacePreferences': [fields],
  events: [eventsOptions],
  stats: [],
}

/** Calls every method, and reads the pages that it returns. */
async function callAll(recorded: ReturnType<typeof recorder>): Promise<string[]> {
  const { client, manager } = recorded
  const { client: _, ...managed } = manager as Manager<object>
  const methods = [...methodsOf(client), ...methodsOf({ list: client.list('notes') }), ...methodsOf(managed)]
  const unknown: string[] = []
  for (const [path, method] of methods.filter(([path]) => !sendsNothing.includes(path))) {
    const given = argumentsOf[path] ?? ofOneself[path] ?? argumentsByName[path.split('.').at(-1) ?? '']
    if (!given) unknown.push(path)
    else await sendAll(method(...given))
  }
  return unknown
}

async function sendAll(result: unknown): Promise<void> {
  if (!(Object(result) instanceof Promise) && Symbol.asyncIterator in Object(result)) {
    const pages = result as ReturnType<ReturnType<typeof createClient>['lists']['all']>
    for await (const row of pages) throw new Error(String(row))
    await pages.page(2)
    await pages.total()
  } else await result
}

const recorded = recorder()
const unknown = await callAll(recorded)
for (const method of entryMethods)
  for (const path of ['x', 'public/x']) await recorded.client.flows.call(path, { input: 'x' }, { method })

test('this test covers every method', (t) => {
  t.deepEqual(unknown, [])
})

test('every method sends a request of a route, and every route has a method', (t) => {
  const sent = [...new Set(recorded.sent.map(({ route }) => route))].sort()
  const routes = Object.entries(openapi.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const called = routes.filter((route) => !Object.hasOwn(withoutMethod, route))
  t.deepEqual(sent, called.sort(), 'give the route a method in client/src, or a reason above')
})

test('every query parameter and header that a method sends belongs to its route', (t) => {
  const common = ['x-api-token', 'content-type', 'authorization']
  const strange = recorded.sent.flatMap(({ route, query, headers }) => {
    const [method = '', path = ''] = route.split(' ')
    const operations = (openapi.paths as unknown as Record<string, Record<string, { parameters?: Parameter[] }>>)[path]
    const names = operations?.[method.toLowerCase()]?.parameters?.map(({ name }) => name) ?? []
    return [...query, ...headers.filter((name) => !common.includes(name))]
      .filter((name) => !names.includes(name))
      .map((name) => `${route}: ${name}`)
  })
  t.deepEqual(strange, [])
})
