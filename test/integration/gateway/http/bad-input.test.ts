import test from 'ava'
import { apiRoutes, routes } from '#services/gateway/resources/index.ts'
import { type AccountContents, type Contents, fillAccount } from '../../../support/access/account-contents.ts'
import { scenarios } from '../../../support/access/scenarios.ts'
import { pathOf } from '../../../support/access/targets.ts'
import { badBodies } from '../../../support/bad-input/bad-bodies.ts'
import { badQueries } from '../../../support/bad-input/bad-queries.ts'
import { badRequests } from '../../../support/bad-input/bad-requests.ts'
import { bodyAt, type Described, fieldsAt } from '../../../support/bad-input/bad-values.ts'
import { tablesOf } from '../../../support/databases/schemas/tables.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import type { Credentials } from '../../../support/http/callers.ts'
import { type Call, call, callRaw, manyCalls, type Reply } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let contents: AccountContents
let own: Credentials
const agent = manyCalls()
test.after.always(() => agent.destroy())

test.before(async () => {
  gateway = await startGateway(cleanup, { routes })
  contents = await fillAccount(gateway.deps)
  own = { ...(await contents.account.token()), ...contents.ada.headers }
})

/** Bodies with more members than those of the scenarios. */
const bodies: Readonly<Record<string, (named: Contents) => unknown[]>> = {
  'POST /lists': () => [{ name: 'Name', tags: ['a'] }],
  'POST /tokens': ({ list }) => [
    {
      name: 'Name',
      tags: ['a'],
      ips: ['10.0.0.0/8'],
      permissions: [{ mode: 'allow', action: 'view', listIds: [list] }],
    },
  ],
  'POST /sync-schema': () => [
    { lists: { fresh: { tags: ['a'], schema: {}, indexes: { title: { pointer: '/title', tags: ['a'] } } } } },
  ],
  'POST /sync-schema/move': ({ list }) => [
    { lists: [list], scope: 'shop' },
    { fromScope: 'shop', scope: null },
  ],
  'POST /lists/{list}/items/batch': ({ item }) => [
    { operations: [{ op: 'create', tags: ['a'] }] },
    { operations: [{ op: 'update', item, tags: ['a'] }] },
    { operations: [{ op: 'delete', item }] },
  ],
  'POST /identities/login': () => [
    { name: 'Ada', password: 'p' },
    { email: 'a@listd.example', password: 'p' },
  ],
  'POST /identities/password-reset': ({ identity }) => ways(identity),
  'POST /identities/email-verification': ({ identity }) => ways(identity),
  'POST /flow-definitions/{flow}/run': ({ identity }) => [{ input: { a: 1 }, identityId: identity, dryRun: true }],
  'POST /flow-runs/{run}/repeat': ({ identity }) => [{ identityId: identity }],
  'PATCH /lists/{list}/items/{item}/data/{pointer*}': () => [[{ op: 'add', path: '/a', value: 1 }]],
}

/** The ways to name an identity. */
const ways = (identityId: string) => [{ name: 'Ada' }, { email: 'a@listd.example' }, { identityId }]

/** Input that looks wrong but is accepted, by route and by path and kind, with the reason. */
const taken: readonly [route: RegExp, what: RegExp, reason: string][] = [
  [/./, /^(page|limit|days): an exponent$/, '1e1 is 10'],
  [/./, /(^|\.)(data|value): U\+0000$/, 'data holds any text'],
  [/\/data\/\{pointer\*\}$/, /^__proto__: |^a body: (a list|a text|null)$/, 'any JSON is data, and a patch is a list'],
  [
    / \/flows\//,
    /^input: |^__proto__: |^a body: (a list|a text|null)$/,
    'any JSON, and any parameter, is the input of a flow',
  ],
  [/preferences$/, /^__proto__: /, 'preferences are any JSON object, kept as its text'],
  [/^GET .*\/items/, /^indexFilters: 2 times$/, 'a name for all parameters that are named like an index'],
  [/^GET .*sync-schema$/, /^lists: 2 times$/, 'lists may be repeated, or joined with commas'],
  [/^GET .*realtime$/, /^(listIds|itemIds|eventTypes): 2 times$|^(listIds|itemIds|after): /, 'any text may name these'],
  [/^PATCH/, /^0\.(from|__proto__): /, 'a patch ignores members that its operation does not know (RFC 6902)'],
  [/sync-schema$/, /^lists\.fresh\.schema\.__proto__: /, 'a JSON Schema ignores keywords that it does not know'],
  [/sync-schema$/, /^lists\.__proto__: /, 'a path name has letters, digits, - and _'],
  [
    /(login|password-reset|email-verification)$/,
    /^(name|group|email|identityId|password): U\+0000$/,
    'answered like any unknown one',
  ],
  [/self$/, /^currentPassword: U\+0000$/, 'answered like any wrong one'],
  [/(confirm|setup)$/, /Token: U\+0000$/, 'IDENTITY_TOKEN_INVALID, like any unknown one'],
  [/webhooks/, /^url: U\+0000$/, 'WEBHOOK_URL_REFUSED, like any that is no URL'],
  [/flow-definitions\/\{flow\}\/run$/, /^input[.:]/, 'an input is any JSON'],
  [/flow-definitions\/check$/, /^(document|tests)[.:]/, 'a check answers 200 with what is wrong'],
  [/\/auth\/(login|setup)$|\/flows\/public\//, /^credentials twice$/, 'credentials are ignored'],
]

for (const { method, path } of apiRoutes) {
  const route = `${method} ${path}`
  const isFault = (what: string) => !taken.some(([of, which]) => of.test(route) && which.test(what))

  test.serial(`${route} rejects bad input, names the field and changes nothing`, async (t) => {
    const request = requestOf(method, path)
    const before = await state()
    const faults = faultsOf(method, path, request)
    const tried = new Set(faults.map((fault) => fault.path))
    t.deepEqual(
      fieldsAt(method, path).filter((field) => !tried.has(field)),
      [],
      'a valid body with them is missing',
    )
    t.deepEqual(await wrongAnswers(faults.filter(({ what }) => isFault(what))), [])
    t.deepEqual(await state(), before)
  })
}

test.serial('every route rejects a body that is too long before it is sent, and changes nothing', async (t) => {
  const before = await state()
  const changing = apiRoutes.filter(({ method }) => method !== 'GET')
  const answers = changing.map(({ method, path }) => announceBody(requestOf(method, path), 10 * 1024 * 1024))
  for (const [n, answer] of (await Promise.all(answers)).entries())
    t.regex(answer, /^HTTP\/1.1 413 .*"PAYLOAD_TOO_LARGE"/s, `${changing[n]?.method} ${changing[n]?.path}`)
  t.true(answers.length > 0)
  t.deepEqual(await state(), before)
})

type Request = Call & { method: string; path: string; headers: Credentials }
/** A request, with the name of the error that it must get, and the path that the error must name, if any. */
type Fault = { what: string; request: Call; name: string; path?: string }

function requestOf(method: string, route: string): Request {
  const scenario = [scenarios[`${method} ${route}`] ?? []].flat()[0]
  if (!scenario) throw new Error(`${method} ${route} has no scenario`)
  const headers = ['own', 'any'].includes(scenario.identity ?? '') ? own : contents.account.user
  return { method, path: pathOf(route, contents.named), headers, body: scenario.body?.(contents.named) }
}

function faultsOf(method: string, route: string, request: Request): Fault[] {
  const inField = ({ path, what }: { path: string; what: string }) => {
    const of = { what: `${path}: ${what}`, name: 'VALIDATION_FAILED', path }
    const isInFlow = route.startsWith('/flow-definitions') && /^(document|tests)\b/.test(path) && what !== 'nothing'
    return isInFlow ? { ...of, name: 'FLOW_INVALID' } : of
  }
  const queries = badQueries(method, route).map(({ query, ...fault }) => ({
    ...inField(fault),
    request: { ...request, path: `${request.path}?${query}` },
  }))
  const schema = bodyAt(method, route)
  const valid = bodies[`${method} ${route}`]?.(contents.named) ?? [request.body]
  const inBody = (schema ? valid : []).flatMap((body) =>
    badBodies(schema as Described, body).map(({ body, ...fault }) => ({
      ...inField(fault),
      request: { ...request, body },
    })),
  )
  return [...queries, ...inBody, ...(method === 'GET' ? [] : badRequests(request))]
}

/** The answers that are not the required error. */
async function wrongAnswers(faults: readonly Fault[]): Promise<string[]> {
  const wrong: string[] = []
  for (let from = 0; from < faults.length; from += 20) {
    const some = faults.slice(from, from + 20)
    const replies = await Promise.all(some.map(({ request }) => call(gateway.port, { agent, ...request })))
    wrong.push(...some.flatMap((fault, n) => describeWrong(fault, replies[n] as Reply)))
  }
  return wrong
}

function describeWrong({ what, name, path }: Fault, reply: Reply): string[] {
  const paths = errorPaths(reply)
  const isNamed = path === undefined || paths.some((found) => found === path || found.startsWith(`${path}.`))
  // An error in a flow has diagnostics with lines instead of paths.
  if (name === 'FLOW_INVALID')
    return reply.json?.name === name && hasDiagnostics(reply) ? [] : [`${what}: ${reply.text}`]
  return reply.json?.name === name && isNamed ? [] : [`${what}: ${reply.status} ${reply.json?.name} ${paths.join()}`]
}

function hasDiagnostics({ json }: Reply): boolean {
  const { diagnostics = [] } = Object(json?.details) as { diagnostics?: readonly { line: number }[] }
  return diagnostics.length > 0 && diagnostics.every(({ line }) => line > 0)
}

/** A request that announces a body of this length, and sends none of it. */
function announceBody({ method, path, headers }: Request, bytes: number): Promise<string> {
  const all = {
    ...headers,
    host: 'x',
    connection: 'close',
    'content-type': 'application/json',
    'content-length': bytes,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return callRaw(gateway.port, `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
}

/** Everything in the database except the last use of credentials and the counts of requests, which are stored from time to time. */
async function state(): Promise<Record<string, string>> {
  const { db } = gateway.deps
  const tables = (await tablesOf(db)).filter((table) => table !== 'request_hours')
  const rows = tables.map(async (table) => {
    const all = await db.all<{ last_used_at?: unknown }>(`select * from ${table}`)
    return [table, JSON.stringify(all.map(({ last_used_at: _used, ...row }) => row))]
  })
  return Object.fromEntries(await Promise.all(rows))
}
