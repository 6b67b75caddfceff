import type { IncomingHttpHeaders } from 'node:http'
import type { FieldError } from '#shared/errors.ts'
import { parseEntityTags } from '../../request/entity-tags.ts'
import type { Route } from '../../request/route.ts'

/** Headers that make a request conditional by tags, and those that make a write conditional (RFC 9110, section 13.1). */
const byTags = ['if-match', 'if-none-match'] as const
const conditions = [...byTags, 'if-unmodified-since'] as const

/**
 * Creates a function that finds errors in a request's conditions. A condition that a write does not support is an error: the write
 * would happen anyway, while the client relies on the condition. A read that ignores a date answers what it would have answered without it.
 */
export function createConditionCheck({
  method,
  headers,
}: Pick<Route, 'method' | 'headers'>): (sent: IncomingHttpHeaders) => readonly FieldError[] {
  const declared = Object.keys(headers?.request ?? {})
  const known = method === 'GET' ? byTags : byTags.filter((name) => declared.includes(name))
  const unknown = method === 'GET' ? [] : conditions.filter((name) => !declared.includes(name))
  return (sent) => [
    ...unknown.filter((name) => sent[name] !== undefined).map((name) => ({ path: name, message: notSupported })),
    ...known.filter((name) => !isReadable(sent[name])).map((name) => ({ path: name, message: noTags })),
  ]
}

/** A text that can never match would look like an endless conflict, or like a change at every read. */
function isReadable(header: string | undefined): boolean {
  return header === undefined || parseEntityTags(header) !== null
}

const notSupported = 'is not supported by this route, which writes unconditionally'
const noTags = 'must be * or ETags in double quotes, such as "3"'
