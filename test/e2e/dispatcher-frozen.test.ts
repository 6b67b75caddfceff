import test, { type ExecutionContext } from 'ava'
import type { Row } from '#shared/data/database.ts'
import { everythingIsDelivered } from '../support/delivered.ts'
import { createItem, freezeDispatcher, type Scene, setScene } from '../support/scene.ts'
import { until } from '../support/until.ts'

const env = { LISTD_DISPATCHER_LEASE_SECONDS: '6', LISTD_WEBHOOKS_TIMEOUT_MS: '3000' }

test.serial('a dispatcher frozen past its leases and resumed writes nothing and starts no request', async (t) => {
  t.timeout(60_000)
  const webhooks = 8
  const scene = await setScene(t, { webhooks, env })
  const { receiver, listd } = scene
  receiver.reply = { hang: 'before-head' }
  const acknowledged = [await createItem(scene)]
  await receiver.received(webhooks)
  await freezeDispatcher(scene)

  receiver.reply = {}
  const other = await listd.startService('webhook-dispatcher')
  acknowledged.push(await createItem(scene))
  await everythingIsDelivered(t, scene, { acknowledged })
  t.is(receiver.requests.length, 3 * webhooks)
  await resumeChangesNothing(t, scene, { held: webhooks, begun: 0 })

  // Alone again, it serves what comes; what it had to say of the time before would be written by then.
  const rows = await deliveryRows(scene)
  other.kill('SIGTERM')
  await until(async () => other.exitCode === 0, { what: 'the end of the other' })
  acknowledged.push(await createItem(scene))
  await everythingIsDelivered(t, scene, { acknowledged })
  t.is(receiver.requests.length, 4 * webhooks)
  const later = new Set((await deliveryRows(scene)).map((row) => JSON.stringify(row)))
  t.deepEqual(
    rows.filter((row) => !later.has(JSON.stringify(row))),
    [],
  )
})

test.serial(
  'a dispatcher frozen amid handshakes and resumed past its leases sends nothing that it had not begun to send',
  async (t) => {
    t.timeout(60_000)
    const webhooks = 50
    const scene = await setScene(t, { webhooks, env })
    const { receiver, listd } = scene
    // No answer, so that it settles nothing: in the middle of a transaction it would hold the database's write lock.
    receiver.reply = { hang: 'before-head' }
    const acknowledged = [await createItem(scene)]
    await receiver.received(5)
    await freezeDispatcher(scene)

    receiver.reply = {}
    await listd.startService('webhook-dispatcher')
    await everythingIsDelivered(t, scene, { acknowledged })
    // It sends one after the other, so the freeze may lie between the last look at the clock and the write of one.
    await resumeChangesNothing(t, scene, { held: webhooks, begun: 1 })
  },
)

/**
 * Lets the frozen dispatcher go on until it has given up all it held; nothing may be written by that, and no request be
 * sent but those whose send had begun.
 */
async function resumeChangesNothing(
  t: ExecutionContext,
  scene: Scene,
  { held, begun }: { held: number; begun: number },
): Promise<void> {
  const { listd, receiver } = scene
  const [rows, requests] = [await deliveryRows(scene), receiver.requests.length]
  t.is(rows.filter(({ number, error }) => number === 1 && error === 'interrupted').length, held)
  const frozen = listd.pidOf('webhook-dispatcher')
  listd.signal('webhook-dispatcher', 'SIGCONT')
  const givenUp = () => listd.logged('"error":"timeout"').filter(({ pid }) => pid === frozen)
  await until(async () => givenUp().length === held, { what: 'the end of all it held' })
  t.true(receiver.requests.length <= requests + begun, `${receiver.requests.length - requests} more requests`)
  t.deepEqual(await deliveryRows(scene), rows)
}

/** Deliveries and their attempts, in the order they were made. */
async function deliveryRows({ db }: Scene): Promise<Row[]> {
  return [
    ...(await db.all('select * from delivery_attempts order by delivery_id, number')),
    ...(await db.all('select * from deliveries order by id')),
  ]
}
