import test, { type ExecutionContext } from 'ava'
import { until } from '../../support/assertions/until.ts'
import { keepCreating } from '../../support/load/load.ts'
import { rounds, seededRandom, shuffled, withSeed } from '../../support/load/soak.ts'
import { natsServersOf } from '../../support/nats/nats-processes.ts'
import { killAll, killNow, type Listd } from '../../support/processes/listd.ts'
import { processesOn, untilGone } from '../../support/processes/processes.ts'
import { everythingIsDelivered } from '../../support/webhooks/delivered.ts'
import { setScene } from '../../support/webhooks/scene.ts'

const env = {
  // So few that some events are held.
  LISTD_WEBHOOKS_MAX_WAITING: '10',
  // A crash of everything leaves leases that no process releases, so they must expire.
  LISTD_DISPATCHER_LEASE_SECONDS: '6',
  LISTD_WEBHOOKS_TIMEOUT_MS: '3000',
  LISTD_WEBHOOKS_RETRY_SECONDS: Array(7).fill('0.5').join(),
}
const patience = { withinMs: 120_000 }

const victims = ['gateway', 'webhook-dispatcher', 'identity', 'nats-server', 'supervisor', 'everything'] as const

test(withSeed('anything killed at any moment under load: nothing acknowledged is lost'), async (t) => {
  t.timeout(rounds({ once: 300_000, soak: 3_600_000 }))
  const random = seededRandom()
  const scene = await setScene(t, { webhooks: 3, env })
  const load = keepCreating(scene)
  t.teardown(load.stop)
  const more = (count: number) => {
    const enough = load.acknowledged.length + count
    return until(async () => load.acknowledged.length >= enough, { ...patience, what: `${count} more creations` })
  }

  await more(50)
  for (let round = 0; round < rounds({ once: 1, soak: 10 }); round++) {
    for (const victim of shuffled(random, victims)) {
      t.log(`${load.acknowledged.length} created, killing ${victim}`)
      await crash(t, scene.listd, victim)
      // The next crash comes after some work, or while this one is still being repaired.
      if (random() < 0.7) await more(1 + Math.floor(random() * 200))
    }
  }
  await more(1)
  await load.stop()
  await everythingIsDelivered(t, scene, { acknowledged: load.acknowledged })
  await until(async () => natsServersOf(scene.listd.dataDir).length === 1, { what: 'one nats-server' })
})

/** Kills the victim if it runs. The supervisor, which no process supervises, is started again at once. */
async function crash(t: ExecutionContext, listd: Listd, victim: (typeof victims)[number]): Promise<void> {
  if (victim !== 'supervisor' && victim !== 'everything') {
    const pid = listd.pidOf(victim)
    if (pid !== 0) killNow(pid)
    return
  }
  const orphans = processesOn(listd.dataDir).map(({ pid }) => pid)
  if (victim === 'everything') killAll(listd.dataDir)
  await listd.kill()
  await listd.restart()
  t.is(natsServersOf(listd.dataDir).length, 1)
  await untilGone(listd.dataDir, orphans)
}
