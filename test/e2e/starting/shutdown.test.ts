import test from 'ava'
import { until } from '../../support/assertions/until.ts'
import { keepCreating } from '../../support/load/load.ts'
import { untilGone } from '../../support/processes/processes.ts'
import type { Receiver } from '../../support/receivers/receiver.ts'
import { everythingIsDelivered } from '../../support/webhooks/delivered.ts'
import { setScene } from '../../support/webhooks/scene.ts'

const env = {
  LISTD_WEBHOOKS_MAX_WAITING: '1000000',
  // An open request may last longer than the dispatcher waits for it, and its lease expires soon after.
  LISTD_WEBHOOKS_TIMEOUT_MS: '9000',
  LISTD_DISPATCHER_LEASE_SECONDS: '12',
}

test('SIGTERM under load: it ends with 0; after a restart, it delivers everything that it acknowledged', async (t) => {
  const scene = await setScene(t, { webhooks: 5, env })
  const { listd, receiver } = scene
  const load = keepCreating(scene)
  t.teardown(load.stop)
  await receiver.received(500)
  await fallSilent(receiver, '/hooks/1')

  t.is(await listd.stop(), 0)
  await untilGone(listd.dataDir)

  receiver.reply = {}
  await listd.restart()
  const before = load.acknowledged.length
  await until(async () => load.acknowledged.length > before, { withinMs: 60_000, what: 'a creation' })
  await load.stop()
  // The lease of the silent webhook must expire first; then its waiting deliveries are sent one by one.
  await everythingIsDelivered(t, scene, { acknowledged: load.acknowledged })
})

/** From now on one webhook gets no answer: its open request must neither delay the shutdown nor be lost. */
function fallSilent(receiver: Receiver, silent: string): Promise<void> {
  return new Promise((resolve) => {
    receiver.reply = ({ path }) => {
      if (path !== silent) return {}
      resolve()
      return { hang: 'before-head' }
    }
  })
}
