import type { Bus } from '#shared/bus/bus.ts'
import type { Config } from '#shared/config/load.ts'
import type { Database } from '#shared/data/database.ts'
import type { RequestRates } from '../../admission/request-rates.ts'
import type { Authenticator } from '../../auth/authenticator.ts'

/** The dependencies of the handlers of the account. */
export type AccountDeps = {
  config: Pick<Config, 'plans' | 'items'>
  db: Database
  bus: Bus
  /** Epoch milliseconds. */
  now(): number
  newId(): string
  auth: Authenticator
  rates: Pick<RequestRates, 'used'>
}
