import type { Bus } from '#shared/bus/bus.ts'
import type { Config } from '#shared/config/load.ts'
import type { Sealer } from '#shared/crypto/seal.ts'
import type { Database } from '#shared/data/database.ts'
import type { Announce } from '#shared/data/events/committed.ts'
import type { Logger } from '#shared/log/logger.ts'

/** The dependencies of the handlers of webhooks. */
export type WebhookDeps = {
  config: Config
  log: Logger
  db: Database
  announce: Announce
  bus: Bus
  sealer: Sealer
  /** Epoch milliseconds. */
  now(): number
  newId(): string
}
