import test, { type ExecutionContext } from 'ava'
import type { Row } from '#shared/data/database.ts'
import { until } from '../../support/assertions/until.ts'
import { rounds, seededRandom, withSeed } from '../../support/load/soak.ts'
import { everythingIsDelivered } from '../../support/webhooks/delivered.ts'
import { endedAttempts } from '../../support/webhooks/ended-attempts.ts'
import { createItem, freezeDispatcher, type Scene, setScene } from '../../support/webhooks/scene.ts'

const env = { LISTD_DISPATCHER_LEASE_SECONDS: '8', LISTD_WEBHOOKS_TIMEOUT_MS: '5000' }
const webhooks = 30

test(withSeed('a dispatcher frozen past its leases and resumed writes nothing and starts no request'), async (t) => {
  t.timeout(rounds({ once: 300_000, soak: 1_800_000 }))
  const random = seededRandom()
  const scene = await setScene(t, { webhooks, env })
  const acknowledged: string[] = []
  for (let round = 0; round < rounds({ once: 2, soak: 12 }); round++) {
    // In every other round, the dispatcher is frozen during the handshakes.
    const sent = round % 2 === 0 ? webhooks : 1 + Math.floor(random() * (webhooks - 1))
    t.log(`frozen when ${sent} requests were there`)
    await freezeAndResume(t, scene, { acknowledged, sent })
  }
})

async function freezeAndResume(
  t: ExecutionContext,
  scene: Scene,
  { acknowledged, sent }: { acknowledged: string[]; sent: number },
): Promise<void> {
  const { receiver, listd } = scene
  await freezeAfter(scene, { acknowledged, sent })
  receiver.reply = {}
  const other = await listd.startService('webhook-dispatcher')
  acknowledged.push(await createItem(scene))
  await everythingIsDelivered(t, scene, { acknowledged })
  // The dispatcher sends requests one by one, so it may be frozen between the last check of the clock and the write of one.
  await resumeChangesNothing(t, scene, { begun: sent < webhooks ? 1 : 0 })

  // Alone again, it serves new events; by then it would have written any outcome from before the freeze.
  const rows = await deliveryRows(scene)
  other.kill('SIGTERM')
  await until(async () => other.exitCode === 0, { withinMs: 60_000, what: 'the end of the other dispatcher' })
  acknowledged.push(await createItem(scene))
  await everythingIsDelivered(t, scene, { acknowledged })
  const later = new Set((await deliveryRows(scene)).map((row) => JSON.stringify(row)))
  t.deepEqual(
    rows.filter((row) => !later.has(JSON.stringify(row))),
    [],
  )
}

/** Freezes the dispatcher when `sent` requests have arrived of those that it sends at the same time over new connections. */
async function freezeAfter(scene: Scene, { acknowledged, sent }: { acknowledged: string[]; sent: number }) {
  const { receiver } = scene
  receiver.endConnections()
  await receiver.opened(0)
  // Without an answer it settles nothing: frozen in the middle of a transaction it would hold the database's write lock.
  receiver.reply = { hang: 'before-head' }
  const before = receiver.requests.length
  acknowledged.push(await createItem(scene))
  await receiver.received(before + sent)
  await freezeDispatcher(scene)
}

/**
 * Resumes the frozen dispatcher, and waits until it has given up everything that it held. In this time it may write nothing, and
 * send no request except those that it had begun to send.
 */
async function resumeChangesNothing(t: ExecutionContext, scene: Scene, { begun }: { begun: number }): Promise<void> {
  const { listd, receiver } = scene
  const [rows, requests] = [await deliveryRows(scene), receiver.requests.length]
  const frozen = listd.pidOf('webhook-dispatcher')
  const givenUp = () => listd.logged('"error":"timeout"').filter(({ pid }) => pid === frozen).length
  const before = givenUp()
  t.is(rows.filter(({ number, error }) => number === 1 && error === 'interrupted').length, before + webhooks)
  listd.signal('webhook-dispatcher', 'SIGCONT')
  await until(async () => givenUp() === before + webhooks, { withinMs: 60_000, what: 'the end of all open attempts' })
  t.true(receiver.requests.length <= requests + begun, `${receiver.requests.length - requests} more requests`)
  t.deepEqual(await deliveryRows(scene), rows)
}

/** Deliveries and their attempts, in the order they were created. */
async function deliveryRows({ db }: Scene): Promise<Row[]> {
  return [
    ...(await db.all(`select * from ${endedAttempts} a order by delivery_id, number`)),
    ...(await db.all('select * from deliveries order by id')),
  ]
}
