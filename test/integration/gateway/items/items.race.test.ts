import test from 'ava'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { conflictCounters } from '#shared/data/conflict.ts'
import { until } from '../../../support/assertions/until.ts'
import { addList, modifyList } from '../../../support/databases/contents/lists.ts'
import { anotherConnection } from '../../../support/databases/database.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { call } from '../../../support/http/client.ts'
import { startGateway } from '../../../support/http/gateway.ts'

const post = '/lists/recipes/items'

test('concurrent updates of one item are all applied, one after the other', async (t) => {
  const { port, deps } = await startGateway(t, { routes: itemRoutes })
  const account = await makeAccount(deps.db)
  await addList(deps.db, account.accountId, { indexes: [{ pathName: 'slug', pointer: '/slug', alias: true }] })
  const headers = account.user
  const created = await call(port, { method: 'POST', path: post, headers, body: { data: { slug: 'one' } } })
  const names = [created.json?.id, 'one']
  const replies = await Promise.all(
    Array.from({ length: 24 }, (_, n) =>
      call(port, { method: 'PUT', path: `${post}/${names[n % 2]}`, headers, body: { description: `${n}` } }),
    ),
  )
  t.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
  const versions = new Set(replies.map(({ json }) => json?.version))
  t.is(versions.size, 24)
  const last = await call(port, { path: `${post}/one`, headers })
  t.like(last, { json: { etag: '"25"', version: '1.0.24' } })
  const times = await deps.db.all<{ created_at: number }>('select created_at from events order by created_at')
  t.is(new Set(times.map(({ created_at }) => created_at)).size, 25)
})

// Serial: one counter has the conflicts of the whole process.
test.serial('a change by alias after one by id waits for its turn among the changes by id', async (t) => {
  const conflicts = () => conflictCounters('item').listd_item_conflicts_total?.read() ?? 0
  const before = conflicts()
  const commits: { by: string; go: () => void }[] = []
  const { port, deps } = await startGateway(t, {
    routes: itemRoutes,
    adapt: (deps) => ({
      ...deps,
      committer: {
        ...deps.committer,
        async commit(change) {
          const { promise, resolve } = Promise.withResolvers<void>()
          commits.push({ by: change.after?.description ?? '', go: resolve })
          if (change.after?.description) await promise
          await deps.committer.commit(change)
        },
      },
    }),
  })
  const account = await makeAccount(deps.db)
  await addList(deps.db, account.accountId, { indexes: [{ pathName: 'slug', pointer: '/slug', alias: true }] })
  const headers = account.user
  const created = await call(port, { method: 'POST', path: post, headers, body: { data: { slug: 'one' } } })
  const update = (ref: unknown, by: string) =>
    call(port, { method: 'PUT', path: `${post}/${ref}`, headers, body: { description: by } })
  const untilCommits = (count: number) => until(() => commits.length === count)

  const replies = [update('one', 'alias')]
  await untilCommits(2)
  replies.push(update(created.json?.id, '1'))
  await untilCommits(3)
  replies.push(update(created.json?.id, '2'), update(created.json?.id, '3'))
  commits[2]?.go()
  await untilCommits(4)
  commits[1]?.go()
  for (const n of [3, 4, 5]) {
    await untilCommits(n + 1)
    commits[n]?.go()
  }
  t.deepEqual(new Set((await Promise.all(replies)).map(({ status }) => status)), new Set([200]))
  t.is(commits.filter(({ by }) => by === 'alias').length, 2, 'it meets one conflict')
  t.is(conflicts() - before, 1, 'which is counted')
})

test('changes of one item run one after the other, even when its list leaves the cache in between', async (t) => {
  let running = 0
  let most = 0
  const { port, deps } = await startGateway(t, {
    routes: itemRoutes,
    adapt: (deps) => ({
      ...deps,
      lists: {
        ...deps.lists,
        async get(accountId, ref) {
          const config = await deps.lists.get(accountId, ref)
          if (config) deps.lists.drop(accountId, ref, config)
          return config
        },
      },
      committer: {
        ...deps.committer,
        async commit(change) {
          most = Math.max(most, ++running)
          await deps.committer.commit(change).finally(() => running--)
        },
      },
    }),
  })
  const account = await makeAccount(deps.db)
  await addList(deps.db, account.accountId)
  const headers = account.user
  const created = await call(port, { method: 'POST', path: post, headers, body: {} })
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      call(port, { method: 'PUT', path: `${post}/${created.json?.id}`, headers, body: { description: `${n}` } }),
    ),
  )
  t.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
  t.is(most, 1)
})

test('of writes that name the same revision exactly one is applied', async (t) => {
  const { port, deps } = await startGateway(t, { routes: itemRoutes })
  const account = await makeAccount(deps.db)
  await addList(deps.db, account.accountId)
  const created = await call(port, { method: 'POST', path: post, headers: account.user, body: {} })
  const headers = { ...account.user, 'if-match': '"1"' }
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      call(port, { method: 'PUT', path: `${post}/${created.json?.id}`, headers, body: { description: `${n}` } }),
    ),
  )
  t.deepEqual(replies.map(({ status }) => status).toSorted(), [200, ...Array(19).fill(412)])
})

test('of creates with one alias exactly one succeeds', async (t) => {
  const { port, deps } = await startGateway(t, { routes: itemRoutes })
  const account = await makeAccount(deps.db)
  await addList(deps.db, account.accountId, { indexes: [{ pathName: 'slug', pointer: '/slug', alias: true }] })
  const body = { data: { slug: 'same' } }
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => call(port, { method: 'POST', path: post, headers: account.user, body })),
  )
  t.deepEqual(replies.map(({ status }) => status).toSorted(), [201, ...Array(19).fill(409)])
  t.is((await deps.db.get<{ n: number }>('select item_count as n from lists'))?.n, 1)
})

test('creates continue while the list changes, none with outdated settings', async (t) => {
  const { port, deps } = await startGateway(t, { routes: itemRoutes })
  const account = await makeAccount(deps.db)
  const listId = await addList(deps.db, account.accountId)
  const other = await anotherConnection(t, deps.config.dataDir)
  let changing = true
  const changes = (async () => {
    for (let n = 0; n < 5; n++) await modifyList(other, listId, { description: `${n}` })
    await modifyList(other, listId, { readonly: true })
    changing = false
  })()
  const replies: { status: number; after: boolean }[] = []
  const creates = Array.from({ length: 8 }, async () => {
    for (let n = 0; n < 20; n++) {
      const after = !changing
      const { status } = await call(port, { method: 'POST', path: post, headers: account.user, body: {} })
      replies.push({ status, after })
    }
  })
  await Promise.all([changes, ...creates])
  t.true(replies.every(({ status, after }) => (after ? status === 409 : [201, 409].includes(status))))
  const created = replies.filter(({ status }) => status === 201).length
  t.is((await deps.db.get<{ n: number }>('select item_count as n from lists'))?.n, created)
  t.is((await deps.db.get<{ n: number }>('select count(*) as n from items'))?.n, created)
})
