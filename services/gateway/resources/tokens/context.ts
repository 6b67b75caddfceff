import type { Bus } from '#shared/bus/bus.ts'
import type { Config } from '#shared/config/load.ts'
import type { Database } from '#shared/data/database.ts'
import type { Announce } from '#shared/data/events/committed.ts'
import type { RequestRates } from '../../admission/request-rates.ts'
import type { Authenticator } from '../../auth/authenticator.ts'

/** The dependencies of the handlers of API tokens. */
export type TokenDeps = {
  config: Config
  db: Database
  announce: Announce
  bus: Bus
  /** Epoch milliseconds. */
  now(): number
  newId(): string
  auth: Authenticator
  rates: Pick<RequestRates, 'used'>
}
