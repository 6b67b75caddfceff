import test from 'ava'
import { createIndexBuilds } from '#services/gateway/jobs/index-builds.ts'
import { routes } from '#services/gateway/resources/index.ts'
import type { Committed } from '#shared/data/events/committed.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import { makeWebhook } from '../../support/databases/contents/rows.ts'
import { makeAccount } from '../../support/http/callers.ts'
import { call } from '../../support/http/client.ts'
import { startGateway } from '../../support/http/gateway.ts'
import type { Teardown } from '../../support/test-context/teardown.ts'

/** A gateway, what it has announced, and a function that calls it and expects success. */
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

test('every change of a list, an index or an item is announced once, whatever caused it', async (t) => {
  const { announced, deps, ask } = await announcingGateway(t)
  await ask('POST', '/lists', { name: 'Recipes', pathName: 'recipes' })
  await ask('PUT', '/lists/recipes', { description: 'of soups' })
  const item = await ask('POST', '/lists/recipes/items', { data: { slug: 'a' } })
  await ask('PUT', `/lists/recipes/items/${item?.id}`, { tags: ['soup'] })
  await ask('POST', '/lists/recipes/items/batch', {
    operations: ['b', 'c'].map((slug) => ({ op: 'create', data: { slug } })),
  })
  await ask('POST', '/lists/recipes/indexes', { pathName: 'slug', pointer: '/slug' })
  await createIndexBuilds(deps)(() => true)
  await ask('DELETE', '/lists/recipes/indexes/slug')
  await ask('DELETE', `/lists/recipes/items/${item?.id}`)
  await ask('POST', '/sync-schema', { lists: { drinks: { indexes: { slug: { pointer: '/slug' } } }, recipes: {} } })
  await ask('DELETE', '/lists/recipes')

  const logged =
    await deps.db.all(`select id, type, model_id as "modelId", revision, list_id as "listId", account_id as "accountId"
    from events where stream in ('list', 'index', 'item') order by id`)
  const reported = announced.flatMap(({ accountId, listId, events }) =>
    events.map((event) => ({ ...event, listId, accountId })),
  )
  t.deepEqual(
    reported.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    logged,
  )
  t.deepEqual([...new Set(reported.map(({ type }) => type))].toSorted(), [
    'index-built',
    'index-created',
    'index-deleted',
    'item-created',
    'item-deleted',
    'item-updated',
    'list-created',
    'list-deleted',
    'list-updated',
  ])
  t.true(
    announced.every(({ outbox }) => outbox === null),
    'nobody listens',
  )
})

test('what waits in the outbox is announced as such, with the request that caused it', async (t) => {
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
