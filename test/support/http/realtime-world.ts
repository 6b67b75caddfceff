import { routes } from '#services/gateway/resources/index.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { until } from '../assertions/until.ts'
import { startNats } from '../nats/nats.ts'
import type { Teardown } from '../test-context/teardown.ts'
import { served } from './api.ts'
import { makeAccount } from './callers.ts'
import { call } from './client.ts'
import { type Frame, openEvents } from './event-stream.ts'
import { sharedSettings, startGateway, type TestGateway } from './gateway.ts'

type GatewayOptions = Partial<Parameters<typeof startGateway>[1]>

/** A gateway with a realtime list, and functions that call it and expect success. */
export async function realtimeWorld(t: Teardown, options: GatewayOptions = {}) {
  const gateway = await startGateway(t, { routes, ...options })
  const account = await makeAccount(gateway.deps.db)
  const ask = askOn(gateway, account.user)
  const list = await ask('POST', '/lists', { name: 'Recipes', pathName: 'recipes', realtime: true })
  const create = (data: unknown) => ask('POST', '/lists/recipes/items', { data })
  const open = (query = 'eventTypes=*', headers: Record<string, string> = account.user, on = gateway) =>
    openEvents(t, on.port, { query, headers })
  /** A token whose id and headers are known. */
  async function generateToken(permissions: PermissionRule[]) {
    const created = await ask('POST', '/tokens', { name: 'reader', permissions })
    return { id: created.id as string, headers: { 'x-api-token': created.value as string } }
  }
  return { gateway, account, ask, create, open, generateToken, listId: list.id as string }
}

export function askOn({ port }: Pick<TestGateway, 'port'>, headers: Record<string, string>) {
  return async (method: string, path: string, body?: unknown) => {
    // Writers at two gateways conflict on an item. On a busy machine that may not end in time, and then nothing was written.
    const reply = await served(() => call(port, { method, path, headers, body }))
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`)
    // biome-ignore lint/suspicious/noExplicitAny: a test says by its assertions what it expects
    return reply.json as any
  }
}

/** Two gateways on one database that receive each other's messages. */
export async function twoGateways(t: Teardown, options: GatewayOptions = {}) {
  const nats = await startNats()
  t.teardown(nats.dispose)
  const first = await realtimeWorld(t, { ...options, natsUrl: nats.url, instance: 'one' })
  const env = { ...sharedSettings(first.gateway.deps.config), ...options.env }
  const second = await startGateway(t, { routes, ...options, natsUrl: nats.url, env, instance: 'two' })
  await until(() => first.gateway.deps.bus.connected() && second.deps.bus.connected())
  return { ...first, second, nats }
}

/** The changes that frames report, with the revisions. */
export const eventsOf = (frames: readonly Frame[]) => frames.map(({ event, data }) => `${event} ${data.revision}`)
export const titlesOf = (frames: readonly Frame[]) => frames.map(({ data }) => data.model.data?.title)
