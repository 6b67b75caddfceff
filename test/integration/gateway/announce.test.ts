import test from 'ava'
import { createIndexBuilds } from '#services/gateway/jobs/index-builds.ts'
import { routes } from '#services/gateway/resources/index.ts'
import type { Committed } from '#shared/data/events/committed.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import { makeWebhook } from '../../support/databases/contents/rows.ts'
import { documentText } from '../../support/flows/documents.ts'
import { makeAccount } from '../../support/http/callers.ts'
import { call } from '../../support/http/client.ts'
import { startGateway } from '../../support/http/gateway.ts'
import type { Teardown } from '../../support/test-context/teardown.ts'

/** A gateway, the commits that it has announced, and a function that calls it and expects success. */
async function announcingGateway(t: Teardown) {
  const announced: Committed[] = []
  const announce = (committed: readonly Committed[]) => void announced.push(...committed)
  const { port, deps } = await startGateway(t, {
    routes,
    adapt: (deps) => ({ ...deps, announce, committer: createCommitter(deps.db, { announce }) }),
  })
  const account = await makeAccount(deps.db)
  async function ask(method: string, path: string, body?: unknown) {
    const reply = await call(port, { method, path, headers: account.user, body })
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`)
    return reply.json
  }
  return { announced, deps: { ...deps, announce }, accountId: account.accountId, ask }
}

test('every change that a gateway logs is announced once, whatever caused it', async (t) => {
  const { announced, deps, accountId, ask } = await announcingGateway(t)
  await ask('POST', '/lists', { name: 'Recipes', pathName: 'recipes' })
  await ask('PUT', '/lists/recipes', { description: 'of soups' })
  const item = await ask('POST', '/lists/recipes/items', { data: { slug: 'a' } })
  await ask('PUT', `/lists/recipes/items/${item?.id}`, { tags: ['soup'] })
  await ask('POST', '/lists/recipes/items/batch', {
    operations: ['b', 'c'].map((slug) => ({ op: 'create', data: { slug } })),
  })
  await ask('POST', '/lists/recipes/indexes', { pathName: 'slug', pointer: '/slug' })
  await createIndexBuilds({ ...deps, hint() {} })(() => true)
  await ask('DELETE', '/lists/recipes/indexes/slug')
  await ask('DELETE', `/lists/recipes/items/${item?.id}`)
  await ask('POST', '/sync-schema', { lists: { drinks: { indexes: { slug: { pointer: '/slug' } } }, recipes: {} } })
  await ask('DELETE', '/lists/recipes')
  const token = await ask('POST', '/tokens', { name: 'app', permissions: [{ mode: 'allow', action: '*' }] })
  await ask('POST', `/tokens/${token?.id}/rotate`)
  await ask('DELETE', `/tokens/${token?.id}`)
  const webhookId = await makeWebhook(deps.db, { accountId })
  await ask('PUT', `/webhooks/${webhookId}`, { description: 'of soups' })
  await ask('POST', `/webhooks/${webhookId}/missed/clear`)
  await ask('POST', '/identity-groups', { name: 'cooks' })
  await ask('PUT', '/identity-groups/cooks', { minPasswordLength: 12 })
  await ask('DELETE', '/identity-groups/cooks')
  const flow = await ask('POST', '/flow-definitions', {
    document: JSON.parse(documentText({ name: 'soup', entry: { type: 'endpoint', path: 'soup' } })),
  })
  await ask('PATCH', `/flow-definitions/${flow?.id}`, { activated: false })
  await ask('DELETE', `/flow-definitions/${flow?.id}`)

  const logged =
    await deps.db.all(`select id, type, model_id as "modelId", revision, list_id as "listId", account_id as "accountId"
    from events order by id`)
  const reported = announced.flatMap(({ accountId, listId, events }) =>
    events.map((event) => ({ ...event, listId, accountId })),
  )
  t.deepEqual(
    reported.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    logged,
  )
  t.deepEqual([...new Set(reported.map(({ type }) => type))].toSorted(), [
    'flow-created',
    'flow-deleted',
    'flow-updated',
    'identity-group-created',
    'identity-group-deleted',
    'identity-group-updated',
    'index-built',
    'index-created',
    'index-deleted',
    'item-created',
    'item-deleted',
    'item-updated',
    'list-created',
    'list-deleted',
    'list-updated',
    'token-created',
    'token-deleted',
    'token-rotated',
    'webhook-updated',
  ])
  t.true(
    announced.every(({ outbox }) => outbox === null),
    'no webhook gets them',
  )
})

test('events that wait in the outbox are announced as such, with the request that caused them', async (t) => {
  const { announced, deps, accountId, ask } = await announcingGateway(t)
  await makeWebhook(deps.db, { accountId })
  await ask('POST', '/lists', { name: 'Recipes', pathName: 'recipes' })
  await ask('POST', '/lists/recipes/items', { data: {} })
  const rows = await deps.db.all<{ event_id: string; request_id: string }>('select event_id, request_id from outbox')
  t.deepEqual(
    announced.map(({ outbox, events: [event] }) => [event?.type, outbox && [event?.id, outbox.requestId]]),
    [
      ['list-created', null],
      ['item-created', rows.map((row) => [row.event_id, row.request_id])[0]],
    ],
  )
})
