import type { Bus } from '#shared/bus/bus.ts'
import type { Config } from '#shared/config/load.ts'
import type { Database } from '#shared/data/database.ts'
import type { DeliveryNotifier } from './delivery-notifier.ts'

/** The dependencies of the handlers of deliveries. */
export type DeliveryDeps = {
  config: Config
  db: Database
  bus: Bus
  newId(): string
  deliveryNotifier: DeliveryNotifier
}
