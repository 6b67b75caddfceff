import { routes } from '#services/gateway/resources/index.ts'
import { serveIdentities } from '#services/identity/main.ts'
import { until } from '../assertions/until.ts'
import { sharedSettings, startGateway, type TestGateway } from '../http/gateway.ts'
import { type NatsServer, startNats } from '../nats/nats.ts'
import type { Teardown } from '../test-context/teardown.ts'
import { testLog } from '../test-context/test-log.ts'
import { answers } from './identity.ts'

/** The gateways keep their caches while a test runs: they reject after a revocation only because of a message. */
const keepMs = 3_600_000

/**
 * Two gateways and the identity service on one database and one nats-server.
 * @param env settings of the first gateway
 */
export async function startSigningIn(
  t: Teardown,
  env: Record<string, string> = {},
): Promise<{ nats: NatsServer; gateway: TestGateway; other: TestGateway }> {
  const nats = await startNats()
  t.teardown(nats.dispose)
  const gateway = await startGateway(t, { routes, natsUrl: nats.url, keepMs, env })
  const { config } = gateway.deps
  const other = await startGateway(t, {
    routes,
    natsUrl: nats.url,
    keepMs,
    env: sharedSettings(config),
  })
  const { log } = testLog(t, 'identity')
  const identity = await serveIdentities({ config, log, instance: 'test', replaces: [], reloadConfig: () => config })
  t.teardown(identity.close)
  for (const { deps } of [gateway, other])
    await until(() => answers(deps.bus), { what: 'the identity service to answer' })
  return { nats, gateway, other }
}
