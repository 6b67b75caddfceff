import type { Exclusive } from '#shared/admission/exclusive.ts'
import type { MinuteLimit } from '#shared/admission/minute-limit.ts'
import type { Bus } from '#shared/bus/bus.ts'
import type { Config } from '#shared/config/load.ts'
import type { Sealer } from '#shared/crypto/seal.ts'
import type { Database } from '#shared/data/database.ts'
import type { Announce } from '#shared/data/events/committed.ts'
import type { Committer } from '#shared/data/items/commit/commit.ts'
import type { ItemReader } from '#shared/data/items/item-reader.ts'
import type { Logger } from '#shared/log/logger.ts'
import type { Checks } from '#shared/ops/readiness.ts'
import type { LongFlowRuns } from './admission/long-flow-runs.ts'
import type { RequestHours } from './admission/request-hours.ts'
import type { RequestRates } from './admission/request-rates.ts'
import type { Authenticator } from './auth/authenticator.ts'
import type { DashboardFiles } from './resources/dashboard/files.ts'
import type { DeliveryNotifier } from './resources/deliveries/delivery-notifier.ts'
import type { SigningLimits } from './resources/deliveries/signing/context.ts'
import type { ParsedFlows } from './resources/flows/calls/parsed-flows.ts'
import type { ListCache } from './resources/lists/list-cache.ts'
import type { CurrentLists } from './resources/realtime/current-lists.ts'
import type { HintHub } from './resources/realtime/hint-hub.ts'
import type { Hub } from './resources/realtime/hub.ts'
import type { StreamCounts } from './resources/realtime/stream-counts.ts'
import type { StreamPace } from './resources/realtime/stream-pace.ts'
import type { BackgroundValidator } from './validation/background-validator.ts'
import type { SchemaValidator } from './validation/schema-validator.ts'

/** The dependencies of all handlers, created once in `main.ts`; each handler names only what its resource uses. */
export type Deps = {
  config: Config
  log: Logger
  db: Database
  bus: Bus
  announce: Announce
  committer: Committer
  readItem: ItemReader
  /** Changes of the same thing wait for each other in this process, so that none starves. */
  exclusive: Exclusive
  sealer: Sealer
  /** Epoch milliseconds. */
  now(): number
  newId(): string
  lists: ListCache
  schemas: SchemaValidator
  backgroundValidator: BackgroundValidator
  deliveryNotifier: DeliveryNotifier
  signingLimits: SigningLimits
  longFlowRuns: LongFlowRuns
  parsedFlows: ParsedFlows
  /** Limits the calls of public flows, by client address. */
  publicCalls: MinuteLimit
  auth: Authenticator
  rates: RequestRates
  requestHours: RequestHours
  /** The sources of this gateway's live streams. */
  hub: Hub
  hintHub: HintHub
  streamCounts: StreamCounts
  streamPace: StreamPace
  currentLists: CurrentLists
  /** Null when the dashboard is switched off. */
  dashboard: DashboardFiles | null
  /** The checks of the gateway's dependencies, by name. */
  checks: Checks
}
