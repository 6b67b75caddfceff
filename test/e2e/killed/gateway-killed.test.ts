import test from 'ava'
import { testNats } from '../../support/nats/nats.ts'
import { everythingIsDelivered } from '../../support/webhooks/delivered.ts'
import { createItems, freezeDispatcher, setScene } from '../../support/webhooks/scene.ts'

test('a gateway killed between commit and publish: acknowledged changes are delivered', async (t) => {
  const nats = await testNats(t)
  const scene = await setScene(t, { env: { LISTD_NATS_URL: nats.url } })
  const { listd, db } = scene
  // Without NATS nothing can be published, and a frozen dispatcher cannot find the events in the outbox.
  await freezeDispatcher(scene)
  await nats.kill()
  const acknowledged = await createItems(scene, 20)
  const gateway = listd.pidOf('gateway')
  listd.signal('gateway', 'SIGKILL')
  t.is((await db.all('select event_id from outbox')).length, 20)

  await nats.start()
  listd.signal('webhook-dispatcher', 'SIGCONT')
  await listd.replaced('gateway', gateway)
  acknowledged.push(...(await createItems(scene, 5)))
  await everythingIsDelivered(t, scene, { acknowledged })
})
