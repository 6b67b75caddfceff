import type { ResponseHeader } from '../../request/route.ts'
import { requestIdPattern } from '../request-id.ts'

/** Headers of responses that are described once. */
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
  'retry-after': { description: 'Seconds to wait before trying again.', schema: { type: 'integer', minimum: 0 } },
}

/** The headers of every response. */
export const headersOfAll = refer('x-request-id', 'x-rate-limit-total', 'x-rate-limit-remaining')

/** The header of errors that a client may try again after. */
export const retryAfter = refer('retry-after')

export function toHeader({ about, pattern, optional }: ResponseHeader): unknown {
  const schema = { type: 'string', ...(pattern && { pattern }) }
  return { description: about, ...(!optional && { required: true }), schema }
}

function refer(...names: (keyof typeof headerComponents)[]): Readonly<Record<string, { $ref: string }>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
