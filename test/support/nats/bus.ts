import type { ExecutionContext } from 'ava'
import { connect, type NatsConnection } from 'nats'
import { type Bus, type BusOptions, connectBus } from '#shared/bus/bus.ts'
import { namesOf } from '#shared/bus/names.ts'
import { createLogger } from '#shared/log/logger.ts'
import { until } from '../assertions/until.ts'

/** The prefix of names on NATS in tests whose processes do not read it from a database. */
export const testPrefix = 'test'
export const testNames = namesOf(testPrefix)

/**
 * The bus of one process on a real nats-server, closed when the test ends. It is connected, which may take longer on a busy machine
 * than a process waits for it when it starts.
 * @param options.away do not wait for a connection
 * @param options.waits how long a request waits for NATS, instead of the product's time
 */
export async function testBus(
  t: ExecutionContext,
  url: string,
  { away = false, waits = {} }: { away?: boolean; waits?: Pick<BusOptions, 'pingTimeoutMs'> } = {},
): Promise<Bus> {
  const log = createLogger({ service: 'test', level: 'silent' })
  const bus = await connectBus({ url, prefix: testPrefix, replicas: 1, name: 'test', log, ...waits })
  t.teardown(bus.close)
  if (!away) await until(async () => bus.connected(), { what: 'the connection to NATS' })
  return bus
}

/** A separate client, to observe the server from outside. */
export async function rawClient(t: ExecutionContext, url: string): Promise<NatsConnection> {
  const client = await connect({ servers: new URL(url).host })
  t.teardown(() => client.close())
  return client
}

/** For tests in which NATS never goes silent: on a busy machine it may be slow, and requests must not fail because of that. */
export const patient = { pingTimeoutMs: 3_600_000 }

/** Collects the events that a dispatcher receives. */
export async function collect(bus: Bus, into: string[]): Promise<void> {
  await bus.consumeEvents(async (eventIds) => void into.push(...eventIds))
}

/** Publishes numbered groups until one of them has arrived. */
export async function untilFlowing(bus: Bus, received: readonly string[], label: string): Promise<void> {
  let count = 0
  await until(
    async () => {
      bus.publishEvents({ requestId: 'r', eventIds: [`${label}-${count++}`] })
      return received.some((id) => id.startsWith(label)) || { published: count, connected: bus.connected(), received }
    },
    { what: `an event ${label}` },
  )
}

/** Resolves when the server knows the subscriptions of the process, because they were sent before this request. */
export async function saidToServer(bus: Bus): Promise<void> {
  await bus.request('identity.user-login', {}, { timeoutMs: 5_000, requestId: 'r' }).catch(() => {})
}
