import type { Deps } from '#services/gateway/context.ts'
import { newId } from '#shared/crypto/ids.ts'
import { tokenHash } from '#shared/crypto/token.ts'
import type { Database } from '#shared/data/database.ts'
import { flowRunRows } from '#shared/data/flows/flow-runs.ts'
import { createIdentitySession } from '#shared/data/identities/identity-sessions.ts'
import { insertRow } from '#shared/data/sql/insert-rows.ts'
import { createToken } from '#shared/data/tokens/tokens.ts'
import { createSession } from '#shared/data/users/sessions.ts'
import { entryMethods } from '#shared/domain/flow/language/properties.ts'
import { serializeItem } from '#shared/domain/item/item.ts'
import { logEvent } from '../databases/contents/events.ts'
import { flowDefinition, flowDocument, flowRun, makeFlow } from '../databases/contents/flows.ts'
import { addList } from '../databases/contents/lists.ts'
import { addDeliveries, itemChange, makeWebhook, testItem } from '../databases/contents/rows.ts'
import { type Credentials, makeAccount, type TestAccount } from '../http/callers.ts'
import { makeIdentity, makeSession } from '../identity/identities.ts'

/**
 * The ids of a list with its content, of a webhook with a delivery, of a flow with a run, of an API token, of an identity in a group,
 * and of a session of the user and one of Ada. The list, the group and the scope that manages the list have this path name.
 */
export type Contents = {
  [name in
    | 'list'
    | 'item'
    | 'index'
    | 'webhook'
    | 'delivery'
    | 'flow'
    | 'run'
    | 'token'
    | 'identity'
    | 'group'
    | 'session'
    | 'adasSession']: string
} & {
  /** The event of each resource. */
  events: { list: string; item: string; index: string; identity: string }
  /** Flows whose path is their id, by the method that calls them. */
  flowIds: Readonly<Record<string, string>>
  pathName: string
}

type TestIdentity = {
  id: string
  headers: Credentials
  /** The headers of another session. */
  signIn(): Promise<Credentials>
}

export type AccountContents = {
  account: TestAccount
  named: Contents
  other: Contents
  /** Like `named`, but its list is not activated. */
  deactivated: Contents
  /** Like `named`, but its item is not activated. */
  draft: Contents
  ada: TestIdentity
  bob: TestIdentity
}

/** An account with three lists, whose items Ada owns. */
export async function fillAccount(deps: Deps): Promise<AccountContents> {
  const account = await makeAccount(deps.db)
  const { accountId, userId } = account
  const identityOf = async (name: string) => {
    const { identityId: id, displayName, headers } = await makeIdentity(deps.db, { accountId, name })
    const signIn = async () => (await makeSession(deps.db, { id, accountId, group: null, displayName })).headers
    return { id, headers, signIn }
  }
  const [ada, bob] = [await identityOf('Ada'), await identityOf('Bob')]
  const fill = (pathName: string, activated = true) =>
    addContents(deps, { accountId, userId, pathName, activated, ownerId: ada.id })
  const named = await fill('named')
  const { item, event } = await addItem(deps, { accountId, listId: named.list, ownerId: ada.id, activated: false })
  return {
    account,
    ada,
    bob,
    named,
    other: await fill('other'),
    deactivated: await fill('deactivated', false),
    draft: { ...named, item, events: { ...named.events, item: event } },
  }
}

async function addContents(
  deps: Deps,
  {
    accountId,
    userId,
    pathName,
    activated,
    ownerId,
  }: { accountId: string; userId: string; pathName: string; activated: boolean; ownerId: string },
): Promise<Contents> {
  const { db } = deps
  const indexes = [
    { pathName: 'slug', pointer: '/slug', alias: true, scope: pathName },
    { pathName: 'secret', pointer: '/secret', guard: true, scope: pathName },
  ]
  const list = await addList(db, accountId, { pathName, scope: pathName, activated, indexes })
  const row = await db.get<{ id: string }>("select id from indexes where list_id = ? and path_name = 'slug'", [list])
  const index = String(row?.id)
  const webhook = await makeWebhook(db, { accountId })
  const [delivery = ''] = await addDeliveries(db, { accountId, webhookId: webhook }, [{ status: 'failed' }])
  const flowIds: Contents['flowIds'] = Object.fromEntries(entryMethods.map((method) => [method, newId()]))
  const path = String(flowIds.POST)
  for (const [method, id] of Object.entries(flowIds)) {
    const name = method === 'POST' ? pathName : `${pathName} by ${method}`
    await makeFlow(db, flowDefinition({ accountId, id }, flowDocument({ name, path, method })))
  }
  const run = flowRun({ accountId, id: path }, { id: newId(), input: 'null' })
  await insertRow(db, flowRunRows([run]))
  const { item, event } = await addItem(deps, { accountId, listId: list, ownerId, activated: true })
  const log = async (stream: 'list' | 'index' | 'identity', modelId: string) =>
    (await logEvent(db, { accountId, stream, type: `${stream}-created`, modelId, listId: list })).id
  const { identityId: identity } = await makeIdentity(db, { accountId, name: 'Cy', group: pathName })
  const group = String((await db.get('select group_id from identities where id = ?', [identity]))?.group_id)
  const events = {
    list: await log('list', list),
    item: event,
    index: await log('index', index),
    identity: await log('identity', identity),
  }
  const [token, session, adasSession, now] = [newId(), newId(), newId(), Date.now()]
  await createToken(db, { id: token, accountId, name: pathName, permissions: [], now })
  const times = { createdAt: now, expiresAt: now + 3_600_000 }
  await createSession(db, { id: session, accountId, userId, tokenHash: tokenHash(session), ...times })
  const ofAda = { identityId: ownerId, tokenHash: tokenHash(adasSession), lastUsedAt: now }
  await createIdentitySession(db, { id: adasSession, accountId, ...ofAda, ...times })
  return {
    pathName,
    list,
    item,
    index,
    webhook,
    delivery,
    flow: path,
    flowIds,
    run: run.id,
    token,
    identity,
    group,
    session,
    adasSession,
    events,
  }
}

/** @returns the ids of the item and of its event */
async function addItem(
  deps: Deps,
  { ownerId, activated, ...list }: { accountId: string; listId: string; ownerId: string; activated: boolean },
): Promise<{ item: string; event: string }> {
  const item = newId()
  const change = itemChange(list, { itemId: item })
  const after = { ...testItem(list, item, 1), activated, identity: { id: ownerId, displayName: 'Ada' } }
  const snapshot = serializeItem(after, { includeData: true })
  await deps.committer.commit({ ...change, after, event: { ...change.event, snapshot } })
  return { item, event: change.event.id }
}

/** Ids that no resource has. */
export function unknownContents(): Contents {
  const [list, item, index] = [newId(), newId(), newId()]
  const events = { list: newId(), item: newId(), index: newId(), identity: newId() }
  const others = {
    webhook: newId(),
    delivery: newId(),
    flow: newId(),
    run: newId(),
    token: newId(),
    identity: newId(),
    group: newId(),
    session: newId(),
    adasSession: newId(),
  }
  return { list, item, index, ...others, events, flowIds: {}, pathName: 'unknown' }
}

/** The contents with all ids changed and all names unchanged. */
export function mapContents({ events, flowIds, pathName, ...ids }: Contents, change: (id: string) => string): Contents {
  const mapped = <T extends object>(some: T) =>
    Object.fromEntries(Object.entries(some).map(([name, id]) => [name, change(id)])) as T
  return { ...mapped(ids), events: mapped(events), flowIds: mapped(flowIds), pathName }
}

/** Every row that calls may change. */
export async function rowsOf(
  db: Database,
  { account: { accountId } }: AccountContents,
): Promise<Record<string, unknown>> {
  const tables = [
    'lists',
    'indexes',
    'items',
    'webhooks',
    'deliveries',
    'flows',
    'flow_runs',
    'identities',
    'identity_groups',
    'tokens',
    'sessions',
    'events',
  ]
  const rows = tables.map((table) => db.all(`select * from ${table} where account_id = ? order by id`, [accountId]))
  return Object.fromEntries((await Promise.all(rows)).map((found, n) => [tables[n], found]))
}
