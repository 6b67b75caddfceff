import { connectBus } from '#shared/bus/bus.ts'
import { userLogin, userLogout } from '#shared/bus/subjects.ts'
import { newId } from '#shared/crypto/ids.ts'
import { dummyHash } from '#shared/crypto/password.ts'
import { openDatabase } from '#shared/data/database.ts'
import { checkSchema } from '#shared/data/migrate.ts'
import type { RunningService, ServiceContext } from '#shared/lifecycle/run-service.ts'
import { startOps } from '#shared/ops/ops.ts'
import { createAddressLimit } from './address-limit.ts'
import { createAfterwards } from './afterwards.ts'
import type { Deps } from './deps.ts'
import { logUserIn } from './handlers/user-login.ts'
import { logUserOut } from './handlers/user-logout.ts'
import { lowerPriority } from './priority.ts'

const maxAddresses = 10_000

/** The only process that hashes passwords: signs users in and out for the gateways that ask over the bus. */
export async function startService({ config, log }: ServiceContext): Promise<RunningService> {
  const { url } = config.database
  const db = await openDatabase({ url, dataDir: config.dataDir, readers: config.database.pool })
  await checkSchema(db)
  // Made before the first login, so that no unknown name is answered later than a known one.
  await dummyHash(config.passwords)
  lowerPriority()
  const bus = await connectBus({ ...config.nats, name: 'identity', log })
  const afterwards = createAfterwards(log)
  const addressLimit = createAddressLimit({ now: () => performance.now(), maxAddresses })
  const deps: Deps = { log, db, bus, passwords: config.passwords, addressLimit, newId, afterwards: afterwards.run }

  bus.respond('identity.user-login', { shape: userLogin, handle: (login, context) => logUserIn(deps, login, context) })
  bus.respond('identity.user-logout', { shape: userLogout, handle: (logout) => logUserOut(deps, logout) })
  const ops = await startOps({
    port: config.identity.opsPort,
    service: 'identity',
    checks: {
      database: () => checkSchema(db).then(() => 'ok' as const),
      nats: async () => (bus.connected() ? 'ok' : 'degraded'),
    },
  })
  return {
    async close() {
      await bus.close()
      await Promise.all([afterwards.settled(), ops.close()])
      await db.close()
    },
  }
}
