import { setTimeout as delay } from 'node:timers/promises'
import test from 'ava'
import { everythingIsDelivered } from '../support/delivered.ts'
import { createSteadily } from '../support/load.ts'
import type { ReceivedRequest } from '../support/receiver.ts'
import { createItem, type Scene, setScene } from '../support/scene.ts'
import { until } from '../support/until.ts'

const rounds = 1_000

test.serial('two dispatchers, 1,000 rounds for one webhook: never two open requests, nothing twice', async (t) => {
  t.timeout(120_000)
  const scene = await setScene(t)
  const { listd, receiver } = scene
  const watch = watchOpenRequests(scene)
  const other = await listd.startService('webhook-dispatcher')
  const acknowledged: string[] = []
  while (acknowledged.length < rounds) {
    acknowledged.push(await createItem(scene))
    await receiver.received(acknowledged.length)
  }
  await everythingIsDelivered(t, scene, { acknowledged })
  t.is(receiver.requests.length, rounds)
  t.is(watch.mostPerWebhook(), 1)
  for (const pid of [listd.pidOf('webhook-dispatcher'), other.pid]) t.true(servedBy(scene).has(pid))
})

test.serial('two dispatchers under load, one of them killed: nothing twice but what it had begun', async (t) => {
  t.timeout(120_000)
  const leases = { LISTD_DISPATCHER_LEASE_SECONDS: '8', LISTD_WEBHOOKS_TIMEOUT_MS: '5000' }
  const scene = await setScene(t, { webhooks: 20, env: { ...leases, LISTD_WEBHOOKS_MAX_WAITING: '1000000' } })
  const { listd, receiver, db } = scene
  const watch = watchOpenRequests(scene)
  const other = await listd.startService('webhook-dispatcher')
  const both = [listd.pidOf('webhook-dispatcher'), other.pid]
  const load = createSteadily(scene, { perSecond: 10, lists: ['recipes'] })
  t.teardown(load.stop)
  await receiver.received(500)
  await until(async () => both.every((pid) => servedBy(scene).has(pid)), { what: 'both to serve' })
  t.is(watch.mostPerWebhook(), 1)
  t.is(countRepeated(receiver.requests), 0)

  other.kill('SIGKILL')
  await receiver.received(receiver.requests.length + 500)
  await load.stop()
  await everythingIsDelivered(t, scene, { acknowledged: load.acknowledged })
  const interrupted = await db.all("select * from delivery_attempts where error = 'interrupted'")
  t.true(countRepeated(receiver.requests) <= interrupted.length)
  t.true(interrupted.length <= scene.webhooks.length)
})

/** The processes that have made attempts. */
function servedBy({ listd }: Scene): Set<number | undefined> {
  return new Set(listd.logged('"msg":"attempt"').map(({ pid }) => pid))
}

/** Keeps every request open for a moment, and counts. */
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
