import test from 'ava'
import { until } from '../../support/assertions/until.ts'
import { openEvents } from '../../support/http/event-stream.ts'
import { createItem, setScene } from '../../support/webhooks/scene.ts'

test('a user is notified of the outcome of an attempt of a delivery', async (t) => {
  const scene = await setScene(t)
  const { listd, webhooks } = scene
  const headers = { authorization: `Bearer ${listd.credentials.session}` }
  const stream = await openEvents(t, Number(new URL(listd.address).port), { query: 'topics=deliveries', headers })
  await stream.wait(1, 'ready')
  const hints = () => stream.frames().filter(({ event }) => event === 'changed')
  // A dispatcher learns after a moment that a client listens; outcomes of earlier deliveries are not sent.
  await until(async () => {
    await createItem(scene)
    return hints().length > 0
  })
  const [hint] = hints()
  t.like(hint?.data, { topic: 'deliveries', webhookId: webhooks[0]?.id })
  const path = `/webhooks/${webhooks[0]?.id}/deliveries/${hint?.data.ids[0]}`
  t.like((await listd.user('GET', path)).json, { status: 'succeeded' })
})

test('a user gets hints of identities that the identity service has changed', async (t) => {
  const { listd } = await setScene(t)
  const headers = { authorization: `Bearer ${listd.credentials.session}` }
  const stream = await openEvents(t, Number(new URL(listd.address).port), { query: 'topics=identities', headers })
  await stream.wait(1, 'ready')
  const hints = () => stream.frames().filter(({ event }) => event === 'changed')
  const created: string[] = []
  // The service learns after a moment that a client listens.
  await until(async () => {
    const { json } = await listd.user('POST', '/identities', { body: { name: `ada${created.length}` } })
    created.push(json.id)
    return hints().length > 0
  })
  const [hint] = hints()
  t.is(hint?.data.topic, 'identities')
  t.true(hint?.data.ids.every((id: string) => created.includes(id)))
})

test('a user gets a hint of a webhook that the dispatcher has disabled', async (t) => {
  const env = { LISTD_WEBHOOKS_RETRY_SECONDS: '0,0,0,0,0,0,0', LISTD_WEBHOOKS_DISABLE_AFTER: '1' }
  const scene = await setScene(t, { env })
  const { listd, receiver, webhooks } = scene
  const headers = { authorization: `Bearer ${listd.credentials.session}` }
  const query = 'topics=deliveries,webhooks'
  const stream = await openEvents(t, Number(new URL(listd.address).port), { query, headers })
  await stream.wait(1, 'ready')
  const hints = (topic: string) => stream.frames().filter(({ data }) => data?.topic === topic)
  // The service learns after a moment that a client listens.
  await until(async () => {
    await createItem(scene)
    return hints('deliveries').length > 0
  })
  t.deepEqual(hints('webhooks'), [])
  receiver.reply = { status: 500 }
  await createItem(scene)
  await until(() => hints('webhooks').length > 0)
  t.deepEqual(hints('webhooks')[0]?.data, { topic: 'webhooks', ids: [webhooks[0]?.id] })
  t.like((await listd.user('GET', `/webhooks/${webhooks[0]?.id}`)).json, { activated: false })
})
