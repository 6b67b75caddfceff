import type { IncomingHttpHeaders } from 'node:http'
import type { FieldError } from '#shared/errors.ts'
import type { Route } from '../../request/route.ts'

/** Headers that make a write conditional (RFC 9110, section 13.1). */
const conditions = ['if-match', 'if-none-match', 'if-unmodified-since'] as const

/**
 * Prepares finding conditions that a route does not look at: its write would be made in any case, while the client counts on the
 * condition. A read that ignores a condition answers what it would have answered without, so it may.
 */
export function createConditionCheck({
  method,
  headers,
}: Pick<Route, 'method' | 'headers'>): (sent: IncomingHttpHeaders) => readonly FieldError[] {
  const known = Object.keys(headers?.request ?? {})
  const unknown = method === 'GET' ? [] : conditions.filter((name) => !known.includes(name))
  return (sent) => unknown.filter((name) => sent[name] !== undefined).map((name) => ({ path: name, message }))
}

const message = 'is not supported by this route, which would write in any case'
