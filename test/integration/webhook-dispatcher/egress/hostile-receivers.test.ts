import { Socket } from 'node:net'
import { queryObjects } from 'node:v8'
import test, { type ExecutionContext } from 'ava'
import { Exchange } from '#services/webhook-dispatcher/egress/exchange.ts'
import type { HttpClient } from '#services/webhook-dispatcher/egress/http-client.ts'
import { atMost } from '../../../support/assertions/bounds.ts'
import { until } from '../../../support/assertions/until.ts'
import { makeAuthority } from '../../../support/receivers/certificate.ts'
import { post, testHttpClient, testReceiver } from '../../../support/receivers/egress.ts'
import {
  type HostileReceiver,
  hangingReceivers,
  hostileReceivers,
} from '../../../support/receivers/hostile-receivers.ts'
import type { Receiver } from '../../../support/receivers/receiver.ts'

/** Short, because an attempt ends the same way however far it has got by then. */
const timeoutMs = 1_000
const authority = makeAuthority()

type Standing = { what: string; receiver: Receiver; outcome: HostileReceiver['outcome'] }

test('many hostile receivers at once: each attempt ends with its class, and leaves nothing open or in memory', async (t) => {
  const [hanging, hostile] = [await stand(t, hangingReceivers), await stand(t, hostileReceivers)]
  const hurried = await testHttpClient(t, { ca: authority.cert }, { timeoutMs })
  // Its deadline is far away, so an attempt that does not end on its own never ends.
  const patient = await testHttpClient(t, { ca: authority.cert })
  const all = [...hanging, ...hostile]
  for (let round = 0; round < 3; round++) {
    await Promise.all([attemptAll(t, hurried, hanging), attemptAll(t, patient, hostile)])
    for (const { receiver } of all) await receiver.opened(0)
    await until(() => openSockets().length === 0 || openSockets(), { what: 'the end of every connection' })
  }
  // Of the three attempts of each receiver, the last one may still be in memory, with both ends of its connection. A closing handle
  // keeps its socket until the event loop has processed it.
  await until(() => holdsAtMost({ exchanges: all.length, sockets: 2 * all.length }), {
    what: 'the memory of the attempts to be freed',
  })
  hurried.close()
  patient.close()
  await until(() => holdsAtMost({ exchanges: 0, sockets: all.length }), {
    what: 'the memory to be freed after the clients are closed',
  })
})

function stand(t: ExecutionContext, kinds: Readonly<Record<string, HostileReceiver>>): Promise<Standing[]> {
  return Promise.all(
    Object.entries(kinds).map(async ([what, { certificate, outcome, ...options }]) => {
      const presented = certificate?.(authority) ?? authority.issue()
      return { what, receiver: await testReceiver(t, { ...options, authority, certificate: presented }), outcome }
    }),
  )
}

async function attemptAll(t: ExecutionContext, client: HttpClient, all: readonly Standing[]): Promise<void> {
  await Promise.all(
    all.map(async ({ what, receiver, outcome }) => {
      const { status, error, body } = await post(client, receiver.url, { key: what })
      t.deepEqual({ status, error }, outcome, what)
      atMost(t, body.length, 4_096, `characters kept of ${what}`)
    }),
  )
}

const openSockets = () => process.getActiveResourcesInfo().filter((what) => what === 'TCPSocketWrap')

type Held = { sockets: number; exchanges: number }

/** True if the process has no more objects than this, otherwise the numbers that it has. */
function holdsAtMost(most: Held): true | Held {
  const count = (of: typeof Socket | typeof Exchange) => queryObjects(of, { format: 'count' })
  const held = { sockets: count(Socket), exchanges: count(Exchange) }
  return (held.sockets <= most.sockets && held.exchanges <= most.exchanges) || held
}
