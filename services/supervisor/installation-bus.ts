import { type Bus, connectBus } from '#shared/bus/bus.ts'
import type { Config } from '#shared/config/load.ts'
import type { Database } from '#shared/data/database.ts'
import { createLogger } from '#shared/log/logger.ts'
import { natsPrefix } from '#shared/ops/join-installation.ts'
import { poll } from '#shared/time/poll.ts'
import { natsFilesOf } from './nats/nats-files.ts'
import { readIfExists } from './private-file.ts'

const connectMs = 5_000
const natsAway = 'NATS cannot be reached, so the services cannot be queried.'

/**
 * The NATS URL of an installation's services, with credentials: `nats.url`, or the nats-server of a running `listd start`. Empty if
 * it is not known here.
 * @param options.running whether a listd runs on the data directory
 */
export async function findNatsUrl({ nats, dataDir }: Config, { running }: { running: boolean }): Promise<string> {
  if (nats.url !== '' || !running) return nats.url
  return ((await readIfExists(natsFilesOf(dataDir).url)) ?? '').trim()
}

/**
 * Runs work that queries the services of an installation.
 * @param options.name of the connection, as NATS shows it
 * @throws Error with a sentence when NATS cannot be reached
 */
export async function withInstallationBus<T>(
  { config, db, url, name }: { config: Config; db: Database; url: string; name: string },
  work: (bus: Bus) => Promise<T>,
): Promise<T> {
  const log = createLogger({ service: 'supervisor', level: 'silent' })
  const bus = await connectBus({ ...config.nats, url, prefix: await natsPrefix(config, db), name, log })
  try {
    const look = async () => bus.connected() || null
    if (!(await poll(look, { everyMs: 50, withinMs: connectMs }))) throw new Error(natsAway)
    return await work(bus)
  } finally {
    await bus.close()
  }
}
