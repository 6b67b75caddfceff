import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { routes } from '#services/gateway/resources/index.ts'
import { newId } from '#shared/crypto/ids.ts'
import { createWebhookSecret } from '#shared/crypto/signature.ts'
import { addRequests } from '#shared/data/accounts/request-hours.ts'
import { settleMonth } from '#shared/data/accounts/request-months.ts'
import type { Database } from '#shared/data/database.ts'
import { flowRunRows } from '#shared/data/flows/flow-runs.ts'
import { findFlowByName, removeFlow } from '#shared/data/flows/flows.ts'
import { insertRows } from '#shared/data/sql/insert-rows.ts'
import { hourMs } from '#shared/domain/hours.ts'
import { until } from '../assertions/until.ts'
import { flowDefinition, flowDocument, flowRun, makeFlow } from '../databases/contents/flows.ts'
import { type ApiAnswer, createApi } from '../http/api.ts'
import { testPassword } from '../http/credentials.ts'
import { startGateway } from '../http/gateway.ts'
import { asIdentity, identityPassword, login, registerIdentity } from '../identity/as-identity.ts'
import { commandsOn } from '../processes/command-line.ts'
import { endAll } from '../processes/listd.ts'
import { testReceiver } from '../receivers/egress.ts'
import type { ReceivedRequest } from '../receivers/receiver.ts'
import type { Reply } from '../receivers/reply.ts'
import type { Teardown } from '../test-context/teardown.ts'
import { addWebhook, type Scene, setScene } from '../webhooks/scene.ts'
import type { ReleasedKnowledge } from './release.ts'

/** Text that databases tend to change, in JSON that parsing and printing would change. */
const hostileData =
  '{"title":"Crème 👩‍🍳 \'\\"?; --","minutes":9007199254740993,"10":1e400,"2":-0.0,"empty":"","nul":"\\u0000","no":null}'
const hostileText = 'Ünïcode é é 👩‍🍳 \'";--\\n ? $1 {} %s '
const replayed = { key: 'released-key', body: '{"data":{"title":"Once","minutes":1}}' }

/** Uses a listd of this tree for everything that leaves rows, kills it in the middle of its work, and continues without jobs. */
export async function useListd(t: Teardown): Promise<{ db: Database; known: ReleasedKnowledge }> {
  // It never answers, so that notices wait.
  const notices = await testReceiver(t, { scheme: 'http', reply: { hang: 'before-head' } })
  const scene = await setScene(t, {
    webhooks: 0,
    env: {
      LISTD_WEBHOOKS_RETRY_SECONDS: '0,0,0,0,0,0,0',
      LISTD_WEBHOOKS_DISABLE_AFTER: '1',
      LISTD_WEBHOOKS_ALLOW_HTTP: 'true',
      // Causes events to be held for the webhook that never answers.
      LISTD_WEBHOOKS_MAX_WAITING: '3',
      LISTD_NOTIFICATIONS_URL: notices.url,
      LISTD_NOTIFICATIONS_SECRET: createWebhookSecret(),
    },
  })
  const secrets = await makeWebhooks(scene)
  await makeLists(scene)
  const identity = await makeAccounts(scene)
  await countRequests(scene)
  await makeFlows(scene)
  const itemId = await makeItems(scene)
  await untilDelivered(scene)
  const { token, session, email } = scene.listd.credentials
  const { dataDir } = scene.listd
  await endAll(dataDir)
  const masterKey = (await readFile(join(dataDir, 'master-key'), 'utf8')).trim()
  await leaveWork(t, scene, masterKey)
  await leaveRuns(scene)
  const user = { email, password: testPassword }
  return {
    db: scene.db,
    known: { masterKey, token, session, user, identity, secrets, replay: { ...replayed, itemId } },
  }
}

/** Throws for a rejected call. @returns the JSON of the response */
async function done(answer: Promise<ApiAnswer>) {
  const { status, text, json } = await answer
  if (status >= 300) throw new Error(`${status} ${text}`)
  return json
}

/** One webhook that succeeds, two that fail, and one that never answers. */
async function makeWebhooks(scene: Scene): Promise<Record<string, string>> {
  const replies: Record<string, Reply> = {
    '/ok': { body: hostileText },
    '/fails': { status: 500 },
    '/resets': { reset: 'before-head' },
  }
  scene.receiver.reply = ({ path }: ReceivedRequest) => replies[path] ?? { hang: 'before-head' }
  const events = ['item.created', 'item.updated', 'item.deleted']
  for (const path of ['/ok', '/fails', '/resets', '/hangs']) await addWebhook(scene, { path, events })
  const { user } = scene.listd
  const list = await done(user('GET', '/lists/recipes'))
  const [ok] = scene.webhooks
  const changes = {
    listIds: [list.id],
    description: hostileText,
    maxRequestsPerSecond: 100,
    headers: { 'x-key': 'canary-pass' },
    where: { recipes: { title: 'starts:' } },
  }
  await done(user('PUT', `/webhooks/${ok?.id}`, { body: changes }))
  await done(user('POST', `/webhooks/${ok?.id}/ping`))
  const rotated = await done(user('POST', `/webhooks/${ok?.id}/secret`))
  return { ...Object.fromEntries(scene.webhooks.map(({ id, secret }) => [id, secret])), [ok?.id ?? '']: rotated.secret }
}

async function makeLists({ listd: { user } }: Scene): Promise<void> {
  const flags = { readonly: false, pinned: true, protected: false }
  const notes = { name: hostileText, pathName: 'notes', description: hostileText, tags: ['a-1', 'b'], ...flags }
  await done(user('POST', '/lists', { body: { ...notes, generative: true, generativePrompt: hostileText } }))
  const labels = { pathName: 'labels', pointer: '/labels', filtering: true }
  await done(user('POST', '/lists/notes/indexes', { body: labels }))
  await done(user('POST', '/lists/notes/items', { body: { data: { labels: ['kept', hostileText] } } }))
  const rank = {
    name: 'Rank',
    pathName: 'rank',
    pointer: '/minutes',
    valueType: 'number',
    sorting: true,
    filtering: true,
  }
  await done(user('POST', '/lists/recipes/indexes', { body: rank }))
  for (const pathName of ['words', 'remarks']) {
    const searched = { pathName, pointer: '/title', searching: true }
    await done(user('POST', '/lists/recipes/indexes', { body: searched }))
  }
  await done(user('POST', '/lists', { body: { name: 'Doomed', pathName: 'doomed', realtime: true } }))
}

/** Like a gateway if the plan of an account limits its requests. */
async function countRequests({ db }: Scene): Promise<void> {
  const account = await db.get<{ id: string }>('select id from accounts')
  const limits = { maxRequestsPerMonth: null, overdraftPercent: null }
  await settleMonth(db, [{ accountId: account?.id ?? '', month: 202_611, requests: 7, blocked: 1, limits }])
  await addRequests(db, [{ accountId: account?.id ?? '', hour: Date.now() - (Date.now() % hourMs), requests: 7 }])
}

/** One flow that has run, and the remaining work of a deleted one. */
async function makeFlows({ db }: Scene): Promise<void> {
  const account = await db.get<{ id: string }>('select id from accounts')
  const accountId = account?.id ?? ''
  const of = { accountId, createdAt: Date.now(), updatedAt: Date.now(), tests: '{"tests":[]}' }
  const nodes = [{ id: 'page', type: 'list-items', list: 'recipes', where: { minutes: '5' } }]
  const kept = await makeFlow(
    db,
    flowDefinition({ ...of, id: newId() }, flowDocument({ description: hostileText, nodes })),
  )
  const gone = await makeFlow(db, flowDefinition({ ...of, id: newId() }, flowDocument({ name: 'Gone', path: 'gone' })))
  const runs = [kept, gone].map((flow) =>
    flowRun(flow, { id: newId(), createdAt: Date.now(), actor: 'null', errorCode: 'LIMIT', input: hostileData }),
  )
  await db.transaction((tx) => insertRows(tx, flowRunRows(runs)))
}

async function makeAccounts({ listd }: Scene): Promise<ReleasedKnowledge['identity']> {
  const { user, credentials } = listd
  const signIn = { email: credentials.email, password: testPassword }
  await done(user('POST', '/auth/login', { body: signIn }))
  await done(user('PUT', '/auth/self', { body: { displayName: hostileText } }))
  await done(user('PUT', '/auth/self/preferences', { text: hostileData }))
  const ofItems = { mode: 'allow', action: 'view', resourceType: 'item', listIds: ['recipes'] }
  const permissions = [
    { mode: 'allow', action: 'view', resourceType: 'list' },
    { ...ofItems, where: { tagged: 'in:$token.tags' } },
  ]
  const networks = ['127.0.0.1', '2001:db8::/32']
  const limited = { ips: networks, expiresAt: '2099-12-31T23:59:59.999Z', rateLimit: 600, tags: ['x'] }
  await done(
    user('POST', '/tokens', { body: { name: hostileText, description: hostileText, permissions, ...limited } }),
  )
  const group = { name: 'cooks', sessionIdleSeconds: 3_600, requireEmail: true }
  await done(user('POST', '/identity-groups', { body: group }))
  const ada = { name: 'Ada' }
  await registerIdentity(listd, ada)
  const { token } = await asIdentity(listd, ada)
  const cook = { name: 'Straße', group: 'cooks', displayName: hostileText, email: 'cook@example.com', tags: ['a-1'] }
  await done(user('POST', '/identities', { body: { ...cook, password: identityPassword } }))
  await login(listd.api, { name: 'nobody' })
  for (const kind of ['password-reset', 'email-verification'])
    await done(user('POST', `/identities/${kind}`, { body: { name: cook.name, group: 'cooks' } }))
  await disableUser(listd.dataDir)
  return { ...ada, password: identityPassword, token }
}

async function disableUser(dataDir: string): Promise<void> {
  const run = commandsOn(dataDir)
  for (const options of [['create', '--password-stdin'], ['disable']]) {
    const { code, stderr } = await run(['user', ...options, '--email', 'mallory@example.com'], { input: testPassword })
    if (code !== 0) throw new Error(stderr)
  }
}

/** @returns the id of the item that was created with an idempotency key */
async function makeItems({ listd }: Scene): Promise<string> {
  const { api, user } = listd
  const items = '/lists/recipes/items'
  const text = `{"data":${hostileData},"description":${JSON.stringify(hostileText)},"tags":["a-1","b"]}`
  const hostile = await done(api('POST', items, { text }))
  await done(user('PUT', `${items}/${hostile.id}`, { body: { tags: ['c'], locked: true } }))
  const asAda = await asIdentity(listd, { name: 'Ada' })
  await done(asAda('POST', items, { body: { data: { title: "Ada's", minutes: -1.5 } } }))
  const flags = { activated: false, readonly: true }
  await done(api('POST', items, { body: { data: { title: 'hidden' }, ...flags } }))
  const gone = await done(api('POST', items, { body: { data: { title: 'gone' } } }))
  await done(api('DELETE', `${items}/${gone.id}`))
  await done(api('POST', '/lists/doomed/items', { body: { data: {}, tags: ['t'] } }))
  return (await done(api('POST', items, { text: replayed.body, headers: { 'idempotency-key': replayed.key } }))).id
}

/** A job has run, and each webhook has reached its state: one delivers, two were disabled, and one is at its first attempt. */
function untilDelivered({ db, receiver }: Scene): Promise<unknown> {
  return until(
    async () => {
      const left = await db.get<{ n: number }>(
        `select (select count(*) from outbox) + (select count(*) from deliveries d join webhooks w on w.id = d.webhook_id
           where d.status = 'pending' and w.url like '%/ok') as n`,
      )
      const disabled = await db.all('select id from webhooks where disabled_at is not null')
      const jobs = await db.all('select name from leases')
      const hangs = receiver.requests.some(({ path }) => path === '/hangs')
      return (
        (Number(left?.n) === 0 && disabled.length === 2 && jobs.length > 0 && hangs) || { left, disabled, jobs, hangs }
      )
    },
    { withinMs: 60_000, what: 'every webhook to reach its state' },
  )
}

/** Leaves pending background work: an event to fan out, a list to purge, an index and words to build. */
async function leaveWork(t: Teardown, { listd }: Scene, masterKey: string): Promise<void> {
  const env = { LISTD_DATA_DIR: listd.dataDir, LISTD_SECRETS_MASTER_KEY: masterKey }
  const { port } = await startGateway(t, { routes, env })
  const user = createApi(() => `http://127.0.0.1:${port}`, { authorization: `Bearer ${listd.credentials.session}` })
  await done(user('DELETE', '/lists/doomed'))
  await done(user('PUT', '/lists/recipes/indexes/minutes', { body: { pointer: '/duration' } }))
  await done(user('PUT', '/lists/recipes/indexes/remarks', { body: { searching: false } }))
  await done(user('POST', '/lists/notes/items', { body: { data: null } }))
}

/** The runs of a deleted flow. */
async function leaveRuns({ db }: Scene): Promise<void> {
  const account = await db.get<{ id: string }>('select id from accounts')
  const accountId = account?.id ?? ''
  const gone = await findFlowByName(db, { accountId, name: 'Gone' })
  if (gone) await db.transaction((tx) => removeFlow(tx, { accountId, flowId: gone.id }, Date.now()))
}
