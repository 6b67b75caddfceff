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
      "The requests a minute that the account's price plan allows; only where it limits them, to requests with API tokens.",
    schema: { type: 'integer', minimum: 0 },
  },
  'x-rate-limit-remaining': {
    description: 'How many of them are left; with `x-rate-limit-total` only.',
    schema: { type: 'integer', minimum: 0 },
  },
  etag: {
    description:
      'Names what the answer shows, for `if-none-match`. Reads of one thing have it as described; other reads have one only where the request has `if-match` or `if-none-match`.',
    schema: { type: 'string', pattern: '^"[\\w-]+"$' },
  },
  vary: { description: 'With `etag`: the headers that say who is calling.', schema: { type: 'string' } },
  'www-authenticate': {
    description: 'With 401, what takes credentials: `Bearer` in `authorization`, or the header that is named.',
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
  'if-match': conditionParameter('if-match', 'Tags of which the answer must have one, or `*`; otherwise it is 412.'),
  'if-none-match': conditionParameter(
    'if-none-match',
    'Tags of answers that the client has kept; 304 if one is the same.',
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
