import { setTimeout as delay } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { keepCreating } from '../../support/load/load.ts'
import { rounds } from '../../support/load/soak.ts'
import type { ReceivedRequest } from '../../support/receivers/receiver.ts'
import { everythingIsDelivered } from '../../support/webhooks/delivered.ts'
import { endedAttempts } from '../../support/webhooks/ended-attempts.ts'
import { createItem, type Scene, setScene, setSceneOn } from '../../support/webhooks/scene.ts'

const env = {
  LISTD_DISPATCHER_LEASE_SECONDS: '8',
  LISTD_WEBHOOKS_TIMEOUT_MS: '5000',
  LISTD_WEBHOOKS_MAX_WAITING: '1000000',
}

test('two dispatchers: a webhook never has two open requests; if one is killed, only the requests that it had begun are repeated', async (t) => {
  t.timeout(rounds({ once: 300_000, soak: 1_800_000 }))
  const one = await setScene(t, { env })
  const { listd, db } = one
  const other = await listd.startService('webhook-dispatcher')
  await raceForOne(t, one, [listd.pidOf('webhook-dispatcher'), other.pid])

  const many = await setSceneOn(t, one, { webhooks: 20 })
  const { receiver, webhooks } = many
  const watch = watchOpenRequests(many)
  const load = keepCreating(many, { atOnce: 2, ahead: 60 })
  t.teardown(load.stop)
  const some = rounds({ once: 200, soak: 5_000 })
  await receiver.received(some)
  t.is(watch.mostPerWebhook(), 1)
  t.is(countRepeated(receiver.requests), 0)

  other.kill('SIGKILL')
  await receiver.received(receiver.requests.length + some)
  await load.stop()
  await everythingIsDelivered(t, many, { acknowledged: load.acknowledged })
  const interrupted = await db.all(`select * from ${endedAttempts} a where error = 'interrupted'`)
  t.true(countRepeated(receiver.requests) <= interrupted.length)
  t.true(interrupted.length <= webhooks.length)
})

/** Sends events one by one, each a race for the same webhook, until each dispatcher has won some. */
async function raceForOne(t: ExecutionContext, scene: Scene, dispatchers: readonly (number | undefined)[]) {
  const { receiver, listd } = scene
  const watch = watchOpenRequests(scene)
  const served = () => new Set<number | undefined>(listd.logged('delivery.attempted').map(({ pid }) => pid))
  const acknowledged: string[] = []
  while (acknowledged.length < rounds({ once: 20, soak: 1_000 }) || !dispatchers.every((pid) => served().has(pid))) {
    acknowledged.push(await createItem(scene))
    await receiver.received(acknowledged.length)
  }
  await everythingIsDelivered(t, scene, { acknowledged })
  t.is(receiver.requests.length, acknowledged.length)
  t.is(watch.mostPerWebhook(), 1)
}

/** Keeps every request open for a moment, and counts the open ones. */
function watchOpenRequests({ receiver }: Scene): { mostPerWebhook(): number } {
  const open = new Map<string, number>()
  let most = 0
  const count = (path: string, change: number) => {
    const now = (open.get(path) ?? 0) + change
    open.set(path, now)
    most = Math.max(most, now)
  }
  receiver.reply = async ({ path }) => {
    count(path, 1)
    await delay(2)
    count(path, -1)
    return {}
  }
  return { mostPerWebhook: () => most }
}

function countRepeated(requests: readonly ReceivedRequest[]): number {
  return requests.length - new Set(requests.map(({ headers }) => headers['x-service-delivery'])).size
}
