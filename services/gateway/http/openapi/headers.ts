import { requestIdPattern } from '../request-id.ts'

/** Headers of responses that are described once. */
export const headerComponents = {
  'x-request-id': {
    description: 'The id of the request: its own `x-request-id` if that is valid, otherwise a new one.',
    required: true,
    schema: { type: 'string', pattern: requestIdPattern.source },
  },
  'retry-after': { description: 'Seconds to wait before trying again.', schema: { type: 'integer', minimum: 0 } },
}

/** The headers of every response. */
export const headersOfAll = refer('x-request-id')

/** The header of errors that a client may try again after. */
export const retryAfter = refer('retry-after')

function refer(name: keyof typeof headerComponents): Readonly<Record<string, { $ref: string }>> {
  return { [name]: { $ref: `#/components/headers/${name}` } }
}
