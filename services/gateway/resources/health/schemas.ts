import { objectOf, oneOf, text } from '../../http/response-schemas.ts'

export const livenessSchema = objectOf({ status: { const: 'ok' } }, { examples: [{ status: 'ok' }] })

const checkResult = { anyOf: [oneOf(['ok', 'degraded']), objectOf({ degraded: text })] }

/** What the gateway needs, by name (contract 2.8); where something has failed the response is 503. */
export const readinessSchema = objectOf(
  { status: oneOf(['ok', 'degraded']), checks: { type: 'object', additionalProperties: checkResult } },
  { title: 'Readiness', examples: [{ status: 'ok', checks: { database: 'ok', nats: 'ok' } }] },
)
