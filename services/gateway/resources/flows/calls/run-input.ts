import type { SchemaValidator, Validator } from '#services/gateway/validation/schema-validator.ts'
import type { Value } from '#shared/domain/expression/value.ts'
import type { FlowEntry } from '#shared/domain/flow/language/flow.ts'
import { inputErrors, inputMessage } from '#shared/domain/flow/run/input.ts'
import { queryInput } from '#shared/domain/flow/run/query-input.ts'
import { createValueTypes } from '#shared/domain/schema/value-types.ts'
import { AppError, validationFailed } from '#shared/errors.ts'
import { parseExact } from '#shared/json/exact.ts'

/** The input of a run: for a GET the parameters of the query, otherwise the source text of the body, empty if there is none. */
export type SentInput = Readonly<Record<string, unknown>> | string

/** The input as a value, and as JSON text. */
export type Input = { value: Value; text: string }

/** @throws VALIDATION_FAILED for JSON in a query that would not be accepted in a body */
export function readInput(sent: SentInput, entry: FlowEntry): Input {
  const value =
    typeof sent === 'string' ? ((sent === '' ? null : parseExact(sent)) as Value) : queryInput(sent, typesOf(entry))
  return { value, text: typeof sent === 'string' && sent !== '' ? sent : JSON.stringify(value) }
}

type Types = ReturnType<typeof createValueTypes>

/** Cached by the entries of parsed flows, as validators are. */
const types = new WeakMap<FlowEntry, Types>()

function typesOf(entry: FlowEntry): Types {
  const known = types.get(entry) ?? createValueTypes(entry.input === null ? null : JSON.parse(entry.input))
  types.set(entry, known)
  return known
}

/**
 * The error of an input that the schema of the entry rejects; null: it is accepted.
 * @throws SERVICE_UNAVAILABLE
 */
export async function inputError(
  schemas: Validators,
  accountId: string,
  { entry, text }: { entry: FlowEntry; text: string },
): Promise<AppError | null> {
  const validator = validatorOf(schemas, accountId, entry)
  if (validator === null) return null
  const errors = await validator(text, JSON.parse(text))
  if (errors.length === 0) return null
  const { name, details = {} } = validationFailed(inputErrors(errors))
  return new AppError(name, { message: inputMessage(errors), details })
}

type Validators = Pick<SchemaValidator, 'validator'>

/** Cached by the entries of parsed flows (`parsed-flows.ts`), so that a schema is compiled once and not for each run. */
const validators = new WeakMap<FlowEntry, { schemas: Validators; validator: Validator }>()

function validatorOf(schemas: Validators, accountId: string, entry: FlowEntry): Validator | null {
  if (entry.input === null) return null
  const known = validators.get(entry)
  if (known?.schemas === schemas) return known.validator
  const validator = schemas.validator(accountId, entry.input)
  validators.set(entry, { schemas, validator })
  return validator
}
