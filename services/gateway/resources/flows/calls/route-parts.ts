import { throwIfInvalid } from '#services/gateway/http/input/validation.ts'
import type { OtherParameters } from '#services/gateway/request/api-request.ts'

/** The declarations that all routes that call flows share. */
export const answers = {
  response: { 200: { description: 'What the flow responds with.' } },
  otherAnswers: 'What the flow responds with, of any status from 200 to 599; or an error.',
  headers: {
    response: {
      'x-flow-run': { about: 'The id of the run.' },
      'content-security-policy': { about: 'Prevents browsers from running the answer of a flow as a page.' },
    },
  },
} as const

export const failures = ['FLOW_FAILED', 'FLOW_CONFLICT', 'RATE_LIMIT_EXCEEDED'] as const

export const inputInQuery = {
  name: 'input',
  description: 'The input; a value that begins with { or [ is read as JSON.',
  example: { limit: '10' },
} as const

/** The parameters of a query as an input. @throws VALIDATION_FAILED if there are too many, or one is not UTF-8 */
export function queryInputOf({ values, errors }: OtherParameters): OtherParameters['values'] {
  throwIfInvalid(errors)
  return values
}

/** The form of a method in the name of an operation: `Post`. */
export function methodName(method: string): string {
  return `${method.charAt(0)}${method.slice(1).toLowerCase()}`
}
