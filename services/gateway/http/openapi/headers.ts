import type { ResponseHeader } from '../../request/route.ts'
import { requestIdPattern } from '../request-id.ts'

/** Shared descriptions of response headers. */
export const headerComponents = {
  'x-request-id': {
    description: 'The id of the request: its own `x-request-id` if that is valid, otherwise a new one.',
    required: true,
    schema: { type: 'string', pattern: requestIdPattern.source },
  },
  'x-rate-limit-total': {
    description:
      "The number of requests per minute that the account's price plan allows; only on answers to API tokens, and if the plan limits requests per minute.",
    schema: { type: 'integer', minimum: 0 },
  },
  'x-rate-limit-remaining': {
    description: 'How many of these requests are left; only with `x-rate-limit-total`.',
    schema: { type: 'integer', minimum: 0 },
  },
  etag: {
    description:
      'Identifies the content of the answer, for `if-none-match`. Reads of an item, its data, a list, an index, a flow or a webhook always have it; other reads only if the request has `if-match` or `if-none-match`.',
    schema: { type: 'string', pattern: '^"[\\w-]+"$' },
  },
  vary: { description: 'With `etag`: the headers of credentials.', schema: { type: 'string' } },
  'www-authenticate': {
    description: 'With 401: the accepted schemes, `Bearer` in `authorization`, or the header that is named.',
    schema: { type: 'string' },
  },
  'retry-after': { description: 'Seconds to wait before trying again.', schema: { type: 'integer', minimum: 0 } },
}

/** The headers of every response. */
export const headersOfAll = refer('x-request-id', 'x-rate-limit-total', 'x-rate-limit-remaining')

/** The headers of reads that may be conditional. */
export const headersOfReads = refer('etag', 'vary')

/** The header of errors after which a client may retry. */
export const retryAfter = refer('retry-after')

/** The header of errors of credentials. */
export const wwwAuthenticate = refer('www-authenticate')

/** The conditions of reads. */
export const conditionParameters = {
  'if-match': conditionParameter(
    'if-match',
    'ETags, of which the answer must have one, or `*`; otherwise the answer is 412.',
  ),
  'if-none-match': conditionParameter(
    'if-none-match',
    'ETags of answers that the client has kept; the answer is 304 if one is its own.',
  ),
}

export function toHeader({ about, pattern, optional }: ResponseHeader): unknown {
  const schema = { type: 'string', ...(pattern && { pattern }) }
  return { description: about, ...(!optional && { required: true }), schema }
}

function conditionParameter(name: string, description: string) {
  return { name, in: 'header', description, schema: { type: 'string' } }
}

function refer(...names: (keyof typeof headerComponents)[]): Readonly<Record<string, { $ref: string }>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
