import { setTimeout as delay } from 'node:timers/promises'
import test from 'ava'
import { everythingIsDelivered } from '../support/delivered.ts'
import { killAll, type Listd } from '../support/listd.ts'
import { keepCreating } from '../support/load.ts'
import { natsServersOf } from '../support/nats-processes.ts'
import { processesOn } from '../support/processes.ts'
import { pick, seeded } from '../support/random-json.ts'
import { setScene } from '../support/scene.ts'
import { until } from '../support/until.ts'

const env = {
  LISTD_WEBHOOKS_MAX_WAITING: '1000000',
  // A crash of everything leaves leases that nobody names: they have to run out.
  LISTD_DISPATCHER_LEASE_SECONDS: '6',
  LISTD_WEBHOOKS_TIMEOUT_MS: '3000',
  LISTD_WEBHOOKS_RETRY_SECONDS: Array(7).fill('0.5').join(),
}

test.serial(
  'the supervisor killed under load and started again at once: one nats-server, nothing is lost',
  async (t) => {
    t.timeout(120_000)
    const scene = await setScene(t, { webhooks: 3, env })
    const { listd, receiver } = scene
    const load = keepCreating(scene)
    t.teardown(load.stop)
    await receiver.received(300)

    const orphans = processesOn(listd.dataDir).map(({ pid }) => pid)
    await listd.kill()
    await listd.restart()
    t.is(natsServersOf(listd.dataDir).length, 1)
    await until(async () => processesOn(listd.dataDir).every(({ pid }) => !orphans.includes(pid)), {
      what: 'the end of the orphans',
    })
    const before = load.acknowledged.length
    await until(async () => load.acknowledged.length > before + 100, { what: 'it to work' })
    await load.stop()
    t.is(natsServersOf(listd.dataDir).length, 1)
    await everythingIsDelivered(t, scene, { acknowledged: load.acknowledged })
  },
)

const rounds = 8
const victims = ['gateway', 'webhook-dispatcher', 'identity', 'nats-server', 'supervisor', 'everything'] as const

for (const seed of [4, 5]) {
  test.serial(`anything killed at any moment, again and again: nothing acknowledged is lost (${seed})`, async (t) => {
    t.timeout(240_000)
    const random = seeded(seed)
    const scene = await setScene(t, { webhooks: 3, env })
    const load = keepCreating(scene)
    t.teardown(load.stop)
    for (let n = 0; n < rounds; n++) {
      await delay(100 + random() * 900)
      await crash(scene.listd, pick(random, victims))
    }
    const before = load.acknowledged.length
    await until(async () => load.acknowledged.length > before, {
      withinMs: 30_000,
      what: 'a creation after the last crash',
    })
    await load.stop()
    await everythingIsDelivered(t, scene, { acknowledged: load.acknowledged, withinMs: 60_000 })
    const { dataDir } = scene.listd
    await until(async () => natsServersOf(dataDir).length === 1, { what: 'one nats-server' })
  })
}

/** Kills it if it runs at all; the supervisor, whom nobody watches, is started again at once. */
async function crash(listd: Listd, victim: (typeof victims)[number]): Promise<void> {
  if (victim !== 'supervisor' && victim !== 'everything') {
    const pid = listd.pidOf(victim)
    if (pid !== 0) process.kill(pid, 'SIGKILL')
    return
  }
  if (victim === 'everything') killAll(listd.dataDir)
  await listd.kill()
  await listd.restart()
}
