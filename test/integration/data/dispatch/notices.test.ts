import test from 'ava'
import { newId } from '#shared/crypto/ids.ts'
import type { Database } from '#shared/data/database.ts'
import {
  findDueNotice,
  nextNoticeDue,
  postponeNotice,
  removeNotice,
  writeNotices,
} from '#shared/data/dispatch/notices.ts'
import { makeList, makeWebhook } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'

const options = { publicUrl: 'https://lists.example', disableAfter: 20, newId: () => newId() }

/** Writes the notice of a webhook that was disabled at a time. @returns the webhook's id */
async function writeNotice(db: Database, disabledAt: number): Promise<string> {
  const { accountId } = await makeList(db)
  const webhookId = await makeWebhook(db, { accountId })
  const about = { accountId, webhookId, description: '', url: 'https://a.example/', reason: 'why', disabledAt }
  await db.transaction((tx) => writeNotices(tx, [about], options))
  return webhookId
}

test('a notice is due at once, then as late as it was postponed, and no longer exists after its removal', async (t) => {
  const { db } = await testDatabase(t)
  t.is(await nextNoticeDue(db), null)
  t.is(await findDueNotice(db), null)
  const at = (await db.now()) - 1_000
  const [webhookId, other] = [await writeNotice(db, at), await writeNotice(db, at + 1)]

  const notice = await findDueNotice(db)
  t.like(notice, { webhookId, attempts: 0 })
  t.like(JSON.parse(notice?.body ?? ''), {
    type: 'webhook.disabled',
    data: { webhook: { id: webhookId, host: 'a.example' } },
  })
  t.is(await nextNoticeDue(db), at)
  if (!notice) return
  await postponeNotice(db, notice, 3_600_000)
  t.like(await findDueNotice(db), { webhookId: other, attempts: 0 })
  t.is(await nextNoticeDue(db), at + 1)
  await removeNotice(db, (await findDueNotice(db))?.id ?? '')
  t.is(await findDueNotice(db), null)
  t.true(((await nextNoticeDue(db)) ?? 0) > at + 3_600_000)
})
