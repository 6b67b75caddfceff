import type { Bus } from '#shared/bus/bus.ts'
import type { DeliveryHints } from '#shared/bus/messages/dispatcher.ts'
import type { GatewayHints, GatewayStreams, RealtimeCommitted } from '#shared/bus/messages/gateway.ts'
import type { IdentityHints } from '#shared/bus/messages/identity.ts'
import type { Config } from '#shared/config/load.ts'
import type { Database } from '#shared/data/database.ts'
import type { Logger } from '#shared/log/logger.ts'
import type { Authenticator } from './auth/authenticator.ts'
import { createHintHub, type HintHub } from './resources/realtime/hint-hub.ts'
import { createHub, type Hub } from './resources/realtime/hub.ts'
import { createStreamCounts, type StreamCounts } from './resources/realtime/stream-counts.ts'

type StreamsOptions = { db: Database; config: Config; log: Logger; instance: string; auth: Authenticator }

/**
 * Creates the sources and counts of this gateway's live streams, and subscribes them: to commits, hints and stream counts of other
 * gateways, to hints of dispatchers and of the identity service, and to revoked credentials.
 */
export function streamsOn(
  bus: Bus,
  { db, config, log, instance, auth }: StreamsOptions,
): { hub: Hub; hintHub: HintHub; streamCounts: StreamCounts } {
  const hub = createHub({
    db,
    isConnected: bus.connected,
    onError: (error) => log('realtime.not_read', { err: error }),
  })
  bus.listen<RealtimeCommitted>('gateway.realtime', ({ accountIds }) => accountIds.forEach(hub.ring))
  bus.onConnected(hub.sweepSoon)
  auth.onInvalidated(hub.recheck)
  const streamCounts = createStreamCounts({
    ...config.realtime,
    instance,
    now: () => performance.now(),
    broadcast: (message) => bus.broadcast('gateway.streams', message),
  })
  bus.listen<GatewayStreams>('gateway.streams', streamCounts.hear)
  const broadcastHints = (message: GatewayHints) => bus.broadcast('gateway.hints', message)
  const hintHub = createHintHub({ instance, elsewhere: streamCounts.elsewhere, broadcast: broadcastHints })
  bus.listen<GatewayHints>('gateway.hints', hintHub.hear)
  bus.listen<DeliveryHints>('dispatcher.hints', hintHub.hear)
  bus.listen<IdentityHints>('identity.hints', hintHub.hear)
  return { hub, hintHub, streamCounts }
}
