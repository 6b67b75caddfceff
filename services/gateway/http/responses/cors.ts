/**
 * Pages of any origin may call the API, but without cookies: their credentials are sent in headers that a page sets itself
 * (contract 1.1). `allow-credentials` is never sent.
 */
const exposed = [
  'x-request-id',
  'x-rate-limit-total',
  'x-rate-limit-remaining',
  'retry-after',
  'etag',
  'www-authenticate',
  'x-flow-run',
  'x-list',
  'idempotency-replayed',
  'x-search-truncated',
]

/** Headers of every response. */
export const corsHeaders: readonly string[] = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  exposed.join(', '),
]

const requestHeaders = [
  'authorization',
  'x-api-token',
  'x-identity-token',
  'x-identity-group',
  'content-type',
  'if-match',
  'if-none-match',
  'idempotency-key',
  'x-request-id',
  'last-event-id',
]

/** Headers of the response to a preflight request. */
export function preflightHeaders(methods: readonly string[]): Record<string, string> {
  return {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': requestHeaders.join(', '),
    'access-control-max-age': '7200',
  }
}
