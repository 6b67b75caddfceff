import test from 'ava'
import {
  findSecrets,
  findWebhook,
  readSavedWhere,
  storeWebhookFilters,
  storeWebhookHeaders,
  storeWebhookSecret,
} from '#shared/data/webhooks/webhooks.ts'
import { makeList, makeWebhook, testId } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'

test('a webhook shows the names of its headers, and its filters by the path names of lists', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId, listId } = await makeList(db)
  const key = { accountId, webhookId: await makeWebhook(db, { accountId }) }
  const saved = {
    [listId]: [
      { index: 'title', pointer: '/title', valueType: 'string' as const, alias: false, source: 'starts:soup' },
    ],
  }
  await db.transaction(async (tx) => {
    await storeWebhookHeaders(tx, { ...key, sealedHeaders: 'sealed', names: ['X-Team'] })
    await storeWebhookFilters(tx, { ...key, saved })
  })
  t.like(await findWebhook(db, key), { headerNames: ['X-Team'], where: { recipes: { title: 'starts:soup' } } })
  t.deepEqual(await readSavedWhere(db, key), saved)
  t.deepEqual(await readSavedWhere(db, { ...key, accountId: testId() }), {})
})

test('the signing secrets are the current one and, while it is valid, the previous one', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId } = await makeList(db)
  const key = { accountId, webhookId: await makeWebhook(db, { accountId, secret: 'first' }) }
  t.deepEqual(await findSecrets(db, key), { secret: 'first', previousSecret: null })
  const replace = (sealedSecret: string, previousUntil: number) =>
    db.transaction((tx) => storeWebhookSecret(tx, { ...key, sealedSecret, previousUntil }))
  await replace('second', (await db.now()) + 60_000)
  t.deepEqual(await findSecrets(db, key), { secret: 'second', previousSecret: 'first' })
  await replace('third', (await db.now()) - 1)
  t.deepEqual(await findSecrets(db, key), { secret: 'third', previousSecret: null })
  t.is(await findSecrets(db, { ...key, accountId: testId() }), null)
})
