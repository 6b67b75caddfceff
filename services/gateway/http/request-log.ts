import type { Logger } from '#shared/log/logger.ts'
import type { Principal } from '../request/principal.ts'
import type { Metrics } from './metrics.ts'
import type { ServerContext } from './request-context.ts'

/** Writes one log line and one metric per request. The line never contains the query, which may show what people search for. */
export function createRequestLog(log: Logger, metrics: Metrics | null): ServerContext['record'] {
  return (
    { label: route },
    { id, req: { method = '' }, principal, client },
    { status, durationMs, failure, run, bytes },
  ) => {
    metrics?.record({ method, route, status, durationMs })
    if (!log.isEnabled('request.completed')) return
    const roundedMs = Math.round(durationMs * 10) / 10
    log('request.completed', {
      requestId: id,
      method,
      route,
      status,
      durationMs: roundedMs,
      ...(bytes !== undefined && { bytes }),
      clientAddress: client.address,
      ...principalIds(principal),
      ...run,
      ...failure,
    })
  }
}

function principalIds(principal: Principal): Record<string, string> {
  if (principal.mode === 'token') {
    const { tokenId, identity } = principal
    return identity ? { tokenId, identityId: identity.id } : { tokenId }
  }
  return principal.mode === 'user' ? { userId: principal.userId } : {}
}
