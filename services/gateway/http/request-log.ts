import type { Logger } from '#shared/log/logger.ts'
import type { Caller } from '../request/principal.ts'
import type { Metrics } from './metrics.ts'
import type { Edge } from './request-context.ts'

/** Writes one log line and one measure per request. The line never holds the query, which may carry what people search for. */
export function createRecord(log: Logger, metrics: Metrics | null): Edge['record'] {
  return ({ label: route }, { id, req: { method = '' }, caller }, { status, durationMs }) => {
    metrics?.record({ method, route, status, durationMs })
    if (log.isLevelEnabled('info')) {
      log.info(
        { requestId: id, method, route, status, durationMs: Math.round(durationMs * 10) / 10, ...callerId(caller) },
        'request',
      )
    }
  }
}

function callerId(caller: Caller): Record<string, string> {
  if (caller.mode === 'token') {
    const { tokenId, identity } = caller
    return identity ? { tokenId, identityId: identity.id } : { tokenId }
  }
  return caller.mode === 'user' ? { userId: caller.userId } : {}
}
