import test, { type ExecutionContext } from 'ava'
import { keyIdOf } from '#shared/crypto/key-text.ts'
import { createMasterKey, openSealer, type Sealer } from '#shared/crypto/seal.ts'
import type { Database } from '#shared/data/database.ts'
import {
  changeSealingKey,
  checkMasterKey,
  forgetOldKeys,
  lockSealingKey,
  verifyMasterKey,
} from '#shared/data/secrets/sealing-key.ts'
import { countSealedSecrets, resealSecrets } from '#shared/data/webhooks/reseal.ts'
import { beginListenerEpoch, insertWebhook, storeWebhookSecret } from '#shared/data/webhooks/webhooks.ts'
import { initialValues } from '#shared/domain/fields/values.ts'
import { type Webhook, webhookFields } from '#shared/domain/webhook/fields.ts'
import { webhookHeadersBinding, webhookSecretBinding } from '#shared/domain/webhook/secret.ts'
import { makeList, testId } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'

type World = { db: Database; accountId: string; sealer: Sealer; old: string; next: string }

/** A database whose secrets are sealed with the key `old`, and a sealer whose first key is `next`. */
async function world(t: ExecutionContext): Promise<World> {
  const { db } = await testDatabase(t)
  const { accountId } = await makeList(db)
  const texts = [createMasterKey(), createMasterKey()]
  const sealer = openSealer(texts.join('\n'))
  const [next = '', old = ''] = sealer.keyIds()
  await verifyMasterKey(db, openSealer(texts[1] ?? ''))
  return { db, accountId, sealer, old, next }
}

/** Stores a webhook as a gateway does; its secret, and its headers if it has any, are its id. */
async function addWebhook({ db, accountId, sealer }: World, { withHeaders = false } = {}): Promise<string> {
  const id = testId()
  const webhook: Webhook = {
    ...initialValues(webhookFields),
    id,
    accountId,
    createdAt: 0,
    updatedAt: 0,
    url: 'https://127.0.0.1/',
    events: ['item.created'],
    listIds: [],
    where: {},
  }
  const binding = webhookSecretBinding({ accountId, webhookId: id })
  await db.transaction(async (tx) => {
    const { epoch } = await beginListenerEpoch(tx, accountId)
    const keyId = await lockSealingKey(tx)
    const sealedSecret = sealer.seal(id, binding, keyId)
    const headersBinding = webhookHeadersBinding({ accountId, webhookId: id })
    const sealedHeaders = withHeaders ? sealer.seal(id, headersBinding, keyId) : null
    await insertWebhook(tx, webhook, { sealedSecret, sealedHeaders, epoch })
  })
  return id
}

/** Replaces a secret with the same text, as a gateway does. */
async function replaceSecret({ db, accountId, sealer }: Pick<World, 'db' | 'accountId' | 'sealer'>, webhookId: string) {
  await db.transaction(async (tx) => {
    const binding = webhookSecretBinding({ accountId, webhookId })
    const sealedSecret = sealer.seal(webhookId, binding, await lockSealingKey(tx))
    await storeWebhookSecret(tx, { accountId, webhookId, sealedSecret, previousUntil: 2 ** 50 })
  })
}

async function resealAll({ db, sealer, next }: World): Promise<number> {
  let resealed = 0
  for (let after: string | null = ''; after !== null; ) {
    const batch = await resealSecrets(db, { sealer, keyId: next, after, rows: 50 })
    after = batch.last
    resealed += batch.resealed
  }
  return resealed
}

/** Every secret, also replaced secrets and headers, opened with the new key only, each with its webhook. */
async function openAll({ db, accountId, sealer, next }: World): Promise<string[][]> {
  const rows = await db.all<{ id: string; secret: string; previous_secret: string | null; headers: string | null }>(
    'select id, secret, previous_secret, headers from webhooks',
  )
  return rows.flatMap(({ id: webhookId, secret, previous_secret: previous, headers }) => {
    const key = { accountId, webhookId }
    const values: [sealed: string, binding: string][] = [
      [secret, webhookSecretBinding(key)],
      [previous ?? secret, webhookSecretBinding(key)],
      ...(headers === null ? [] : [[headers, webhookHeadersBinding(key)] as [string, string]]),
    ]
    return values.map(([sealed, binding]) =>
      keyIdOf(sealed) === next ? [webhookId, sealer.open(sealed, binding)] : [webhookId, 'sealed with the old key'],
    )
  })
}

test('after a change of the key nothing is sealed with the old one, and one pass reseals everything, while others write', async (t) => {
  const scene = await world(t)
  const { db, sealer, old, next } = scene
  const ids: string[] = []
  for (let n = 0; n < 60; n++) ids.push(await addWebhook(scene, { withHeaders: n % 2 === 0 }))
  let writing = true
  const writers = [0, 1, 2].map(async (which) => {
    for (let n = 0; writing; n++) {
      await replaceSecret(scene, ids[(n * 3 + which) % ids.length] ?? '')
      if (n % 10 === 9) ids.push(await addWebhook(scene))
    }
  })
  await changeSealingKey(db, { keys: sealer, keyId: next })
  t.deepEqual(await checkMasterKey(db, sealer), { sealing: next, old: [old], missing: [] })
  await resealAll(scene)
  writing = false
  await Promise.all(writers)
  t.deepEqual([...(await countSealedSecrets(db)).keys()], [next])
  for (const [webhookId, secret] of await openAll(scene)) t.is(secret, webhookId)
})

test('an interrupted pass continues from anywhere, and leaves what is already resealed', async (t) => {
  const scene = await world(t)
  const { db, sealer, old, next } = scene
  for (let n = 0; n < 120; n++) await addWebhook(scene)
  await changeSealingKey(db, { keys: sealer, keyId: next })
  const first = await resealSecrets(db, { sealer, keyId: next, after: '', rows: 50 })
  t.true(first.resealed > 0 && first.resealed < 120, 'a batch is bounded')
  t.deepEqual(
    await countSealedSecrets(db),
    new Map([
      [next, first.resealed],
      [old, 120 - first.resealed],
    ]),
  )
  t.is(await resealAll(scene), 120 - first.resealed)
  t.is(await resealAll(scene), 0)
})

test('a key is needed until nothing is left that it has sealed, and values that cannot be opened stay unchanged', async (t) => {
  const scene = await world(t)
  const { db, sealer, old, next } = scene
  await addWebhook(scene)
  const broken = await addWebhook(scene)
  const altered = `v1.${old}.${'A'.repeat(80)}`
  await db.run('update webhooks set secret = ? where id = ?', [altered, broken])
  await changeSealingKey(db, { keys: sealer, keyId: next })
  await changeSealingKey(db, { keys: sealer, keyId: next })
  t.is(await resealAll(scene), 1)
  const forget = async () =>
    forgetOldKeys(db, { sealing: next, needed: new Set((await countSealedSecrets(db)).keys()) })
  await forget()
  t.deepEqual(await checkMasterKey(db, null), { sealing: next, old: [old], missing: [next, old] })
  t.is((await db.get('select secret from webhooks where id = ?', [broken]))?.secret, altered)
  await replaceSecret(scene, broken)
  await db.run('update webhooks set previous_secret = null')
  await forgetOldKeys(db, { sealing: old, needed: new Set() })
  t.deepEqual((await checkMasterKey(db, sealer)).old, [old], 'by now another key is the sealing key')
  await forget()
  t.deepEqual(await checkMasterKey(db, sealer), { sealing: next, old: [], missing: [] })
})

test('of two passes that each choose another sealing key, the later one continues, and leaves nothing sealed by the earlier one', async (t) => {
  const scene = await world(t)
  const { db, sealer, old, next } = scene
  for (let n = 0; n < 60; n++) await addWebhook(scene)
  await changeSealingKey(db, { keys: sealer, keyId: next })
  const { last } = await resealSecrets(db, { sealer, keyId: next, after: '', rows: 50 })
  await changeSealingKey(db, { keys: sealer, keyId: old })
  await resealAll({ ...scene, next: old })
  await forgetOldKeys(db, { sealing: old, needed: new Set((await countSealedSecrets(db)).keys()) })
  for (const after of ['', last ?? '']) {
    const expected = { message: new RegExp(`^the key ${old} became the sealing key while this command ran`) }
    await t.throwsAsync(resealSecrets(db, { sealer, keyId: next, after, rows: 50 }), expected)
  }
  t.deepEqual(await countSealedSecrets(db), new Map([[old, 60]]))
  t.deepEqual(await checkMasterKey(db, sealer), { sealing: old, old: [], missing: [] })
})

test('a key does not become the sealing key while the previous one is missing, unless that is given up', async (t) => {
  const { db, old } = await world(t)
  const stale = openSealer(createMasterKey())
  const [keyId = ''] = stale.keyIds()
  await t.throwsAsync(changeSealingKey(db, { keys: stale, keyId }), {
    message: new RegExp(`the key ${old} became`),
  })
  t.is((await checkMasterKey(db, null)).sealing, old)
  await changeSealingKey(db, { keys: stale, keyId, lost: new Set([old]) })
  t.is((await checkMasterKey(db, null)).sealing, keyId)
})

test('a start without a key that the database needs is rejected with its id, during a rotation too', async (t) => {
  const { db, sealer, old, next } = await world(t)
  const other = openSealer(createMasterKey())
  const naming = (keyIds: string) => ({ message: new RegExp(`does not have the key ${keyIds} that secrets`) })
  await t.throwsAsync(verifyMasterKey(db, other), naming(old))
  await changeSealingKey(db, { keys: sealer, keyId: next })
  await t.throwsAsync(verifyMasterKey(db, other), naming(`${next} and ${old}`))
  await t.notThrowsAsync(verifyMasterKey(db, sealer))
  t.is(keyIdOf(String((await db.get("select value from settings where name = 'secretsCheck'"))?.value)), next)
})
