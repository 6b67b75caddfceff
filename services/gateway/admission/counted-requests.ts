import type { Bus } from '#shared/bus/bus.ts'
import type { GatewayRequests } from '#shared/bus/messages/gateway.ts'
import type { Config } from '#shared/config/load.ts'
import { addRequests } from '#shared/data/accounts/request-hours.ts'
import { readMonth, settleMonth } from '#shared/data/accounts/request-months.ts'
import type { Database } from '#shared/data/database.ts'
import type { Logger } from '#shared/log/logger.ts'
import { createRequestHours, type RequestHours } from './request-hours.ts'
import { createRequestRates, type RequestRates } from './request-rates.ts'

type Counting = { bus: Bus; db: Database; config: Config; log: Logger; instance: string }

/** Counts requests: for the limits of plans and tokens, and by hour. Gateways report to each other the counts that are limited. */
export function countRequests({ bus, db, config, log, instance }: Counting): {
  rates: RequestRates
  requestHours: RequestHours
} {
  const onError = (error: unknown) => log('requests.not_stored', { err: error })
  const rates = createRequestRates({
    now: Date.now,
    instance,
    freePerMinute: config.plans.free?.maxRequestsPerMinute ?? null,
    read: (accountId, month) => readMonth(db, accountId, month),
    store: (rows) => settleMonth(db, rows),
    broadcast: (message) => bus.broadcast('gateway.requests', message),
    onError,
  })
  bus.listen<GatewayRequests>('gateway.requests', rates.hear)
  const requestHours = createRequestHours({ now: Date.now, store: (rows) => addRequests(db, rows), onError })
  return { rates, requestHours }
}
