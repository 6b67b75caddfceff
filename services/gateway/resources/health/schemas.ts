import { objectOf, oneOf, text } from '../../schemas/response-schemas.ts'

export const livenessSchema = objectOf({ status: { const: 'ok', description: 'Always `ok`.' } }, {})

const checkResult = {
  anyOf: [oneOf(['ok', 'degraded']), objectOf({ degraded: { ...text, description: 'The reason.' } })],
}

/** The results of the checks, by name (contract 2.8). If one has failed, the response is 503 instead. */
export const readinessSchema = objectOf(
  {
    status: { ...oneOf(['ok', 'degraded']), description: 'The worst result of the checks.' },
    checks: { type: 'object', additionalProperties: checkResult, description: 'The result of each check, by name.' },
  },
  {
    title: 'Readiness',
    description: 'Whether the gateway can serve requests.',
  },
)
