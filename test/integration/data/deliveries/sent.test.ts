import test from 'ava'
import { findBodyOfEvent, findSent } from '#shared/data/deliveries/deliveries.ts'
import { addDeliveries, makeList, makeWebhook, testId } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'

test('what deliveries are sent with is found by their ids and by their event, for their own webhook alone', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId } = await makeList(db)
  const key = { accountId, webhookId: await makeWebhook(db, { accountId }) }
  const other = { accountId, webhookId: await makeWebhook(db, { accountId }) }
  const [id = '', gone = ''] = await addDeliveries(db, key, [{ status: 'failed' }, { status: 'failed' }])
  const { event_id: eventId } = (await db.get<{ event_id: string }>('select event_id from deliveries where id = ?', [
    id,
  ])) ?? { event_id: '' }
  const body = '{"big":12345678901234567890}'
  await db.run('delete from event_payloads')
  await db.run('insert into event_payloads (event_id, body) values (?, ?)', [eventId, body])

  t.deepEqual([...(await findSent(db, key, [id, gone, testId()]))], [[id, { eventId, event: 'item.created', body }]])
  t.is((await findSent(db, other, [id])).size, 0)
  t.is(await findBodyOfEvent(db, { ...key, eventId }), body)
  t.is(await findBodyOfEvent(db, { ...other, eventId }), null)
  t.is(await findBodyOfEvent(db, { ...key, eventId: testId() }), null)
})
