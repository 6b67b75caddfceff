import { AppError, errorPath, type FieldError, isErrorName } from '#shared/errors.ts'
import { parsePointer } from '#shared/json/pointer.ts'
import type { ExpressionError } from '../../expression/expression-error.ts'
import { hiddenError } from '../../item/guard.ts'
import { placeOf } from '../../text/place.ts'
import type { FlowExpression } from '../language/properties.ts'
import type { FlowFailed, FlowFailureCode, FlowRejection } from './driver.ts'

/** The statuses of failures; a `require` node has its own. */
export const failureStatus: Readonly<Record<FlowFailureCode, number>> = {
  REQUIRE_FAILED: 400,
  NOT_FOUND: 404,
  CONFLICT: 409,
  SCHEMA_INVALID: 422,
  EXPRESSION_ERROR: 422,
  LIMIT: 422,
  TIMEOUT: 422,
}

type Details = Omit<FlowFailed, 'kind' | 'node' | 'index'>

/** Fails the whole run: none of its changes are kept. */
export class FlowFailure extends Error {
  override name = 'FlowFailure'
  readonly details: Details

  constructor(details: Details) {
    super(details.message)
    this.details = details
  }
}

export function failure(code: FlowFailureCode, message: string): FlowFailure {
  return new FlowFailure({ code, message, status: failureStatus[code] })
}

/** The failure of an expression whose value is of the wrong kind. The message continues after "it", such as "must be a text". */
export function wrongValue(expression: FlowExpression, message: string): FlowFailure {
  const { text, node } = expression
  return new FlowFailure({ ...codeOf('EXPRESSION_ERROR', message), ...pathOf(expression), ...placeOf(text, node.at) })
}

/** The failure of an expression, or of a helper that it calls. */
export function failedExpression(error: ExpressionError, expression: FlowExpression): FlowFailure {
  const code = error.kind === 'limit' ? 'LIMIT' : 'EXPRESSION_ERROR'
  const where = error.source.text === expression.text ? pathOf(expression) : { path: 'helpers' }
  return new FlowFailure({ ...codeOf(code, error.message), ...where, ...error.place })
}

/**
 * Converts an error of the rules of items or pages to a rejection in a run. Of several errors it has the first, with its path; an error of
 * an index has the name of the index. Status 400 becomes 422, because the caller of the flow did not send the value.
 */
export function rejectionOf({ name, message, status, details }: AppError): FlowRejection {
  const [first] = (details?.errors as readonly FieldError[] | undefined) ?? []
  if (name === 'ITEM_SCHEMA_INVALID') return unfitItem(first)
  const about = typeof details?.index === 'string' ? `${details.index}: ` : ''
  return {
    code: name,
    message: first ? `${first.path} ${first.message}` : `${about}${message}`,
    status: status === 400 ? 422 : status,
  }
}

/** The rejection of a change that does not match the schema of its list. @param why the first error that may be shown */
export function unfitItem(why?: { path: string; message: string }): FlowRejection {
  const reason = why === undefined ? '' : `: ${why.message === hiddenError.message ? '' : `${why.path} `}${why.message}`
  return codeOf('SCHEMA_INVALID', `the item does not match the schema of its list${reason}`)
}

const codeOf = (code: FlowFailureCode, message: string) => ({ code, message, status: failureStatus[code] })

const pathOf = ({ pointer }: FlowExpression) => ({ path: errorPath('', ...(parsePointer(pointer) ?? [])) })

/**
 * The message of a failed run for the caller of the flow. The caller may be anyone, so the message depends on the code alone and never
 * contains a value that the run has read. The message of the failure itself may contain such values; it is only for the recorded run.
 */
export function messageForCaller({ code, message }: Pick<FlowFailed, 'code' | 'message'>): string {
  // The message of a `require` node is written in the document.
  if (code === 'REQUIRE_FAILED') return message
  const sentence = Object.hasOwn(sentences, code) ? sentences[code] : undefined
  return sentence ?? new AppError(isErrorName(code) ? code : 'FLOW_FAILED').message
}

const sentences: Readonly<Record<string, string>> = {
  NOT_FOUND: 'an item, list or identity that the flow needs does not exist',
  CONFLICT: 'an item does not have the version that the flow needs',
  SCHEMA_INVALID: 'an item would not match the schema of its list',
  EXPRESSION_ERROR: 'an expression of the flow cannot be evaluated',
  LIMIT: 'the run exceeds a limit of runs',
  TIMEOUT: 'the run took too long',
  PAYLOAD_TOO_LARGE: 'an item or a page of the flow is larger than it may be',
  VALIDATION_FAILED: 'a list does not accept what the flow reads or writes',
} satisfies Partial<Record<FlowFailureCode | 'PAYLOAD_TOO_LARGE' | 'VALIDATION_FAILED', string>>

/** Converts a failure to the outcome of a run; rethrows any other error. @param index below `each`: the position of the element */
export function failedRun(error: unknown, { node, index }: { node: string; index: number | null }): FlowFailed {
  if (!(error instanceof FlowFailure)) throw error
  return { kind: 'failed', ...error.details, node, ...(index !== null && { index }) }
}
