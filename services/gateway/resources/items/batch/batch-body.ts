import Joi from 'joi'
import { bodyLimitErrors } from '#services/gateway/http/input/body-limits.ts'
import { commonRules, validate } from '#services/gateway/http/input/validation.ts'
import { filledTextSchema, updateSchema } from '#services/gateway/schemas/body-schemas.ts'
import { printSchema } from '#services/gateway/schemas/joi.ts'
import type { JsonSchema } from '#shared/domain/fields/json-schema.ts'
import type { ItemBody } from '#shared/domain/item/fields.ts'
import { lengths, maxBatchOperations, maxErrors } from '#shared/domain/limits.ts'
import { AppError, type FieldError, validationFailed } from '#shared/errors.ts'
import { isObject } from '#shared/json/is-object.ts'
import { eachElement, objectMembers } from '#shared/json/text/offsets.ts'
import { createTimeSlices } from '#shared/time/time-slices.ts'
import { createFields, updateFields } from '../schemas.ts'

/** An operation of a batch; `dataText` is the compact source text of its data. */
export type BatchOperation =
  | { op: 'create'; body: ItemBody; dataText: string | undefined }
  | { op: 'update'; item: string; body: ItemBody; dataText: string | undefined }
  | { op: 'delete'; item: string }
  /** Creates or replaces the item with an alias, which the data contains too. */
  | { op: 'put'; item: string; body: ItemBody; dataText: string | undefined }

const item = filledTextSchema(lengths.aliasValue).required().description("An id, or a value of the list's alias index.")

const putAlias = filledTextSchema(lengths.aliasValue)
  .required()
  .description(
    "A value of the list's alias index, which the data has too: the item that has it is replaced, or created.",
  )

const op = (name: BatchOperation['op']) => Joi.valid(name).required().description('The kind of operation.')

const schemas = {
  create: Joi.object({ op: op('create'), ...createFields }),
  update: updateSchema(updateFields, { op: op('update'), item }),
  delete: Joi.object({ op: op('delete'), item }),
  put: Joi.object({ op: op('put'), item: putAlias, ...createFields, data: createFields.data.required() }),
}

/** Body of POST /lists/{list}/items/batch. */
export const batchSchema: JsonSchema = {
  title: 'ItemBatch',
  description: 'Several writes of items.',
  type: 'object',
  properties: {
    operations: {
      type: 'array',
      description: 'The writes, which all start from the items as they were before the batch.',
      items: { anyOf: Object.values(schemas).map(printSchema) },
      minItems: 1,
      maxItems: maxBatchOperations,
    },
  },
  required: ['operations'],
  additionalProperties: false,
}

/**
 * Reads the body of a batch.
 * @param body the parsed value, which is only validated
 * @param text the compact source text, from which the operations get their data
 * @param dryRun whether the error also has the errors of each operation separately
 * @throws VALIDATION_FAILED with all errors; `details.operation` is the first operation that has one
 */
export async function parseBatch(body: unknown, text: string, dryRun = false): Promise<BatchOperation[]> {
  const pause = createTimeSlices()
  const sent: Sent[] = []
  const errors: FieldError[] = []
  const rejections: AppError[] = []
  for (const [n, operation] of readOperations(body).entries()) {
    const read = readOperation(operation)
    if ('sent' in read) sent.push(read.sent)
    else {
      rejections.push(atOperation(n, validationFailed(read.errors)))
      errors.push(...read.errors.map(({ path, message }) => ({ path: pathIn(n, path), message })))
    }
    if (errors.length >= maxErrors) break
    await pause()
  }
  const [first] = rejections
  if (first) {
    const { name, details } = validationFailed(errors.slice(0, maxErrors))
    const all = dryRun ? { operations: operationErrors(rejections) } : {}
    throw new AppError(name, { details: { ...details, operation: first.details?.operation, ...all } })
  }
  return toOperations(sent, text)
}

/** The error of too many operations in a batch, and of an empty batch. */
export const operationsError = {
  path: 'operations',
  message: `must be an array of 1 to ${maxBatchOperations} operations`,
}

function readOperations(body: unknown): unknown[] {
  const { operations } = isObject(body) ? body : {}
  const unknown = isObject(body) ? Object.keys(body).filter((name) => name !== 'operations') : []
  const errors = unknown.slice(0, maxErrors).map((name) => ({ path: name, message: `"${name}" is not allowed` }))
  const list: unknown[] = Array.isArray(operations) ? operations : []
  if (list.length === 0 || list.length > maxBatchOperations) errors.unshift(operationsError)
  if (errors.length > 0) throw validationFailed(errors.slice(0, maxErrors))
  return list
}

function readOperation(operation: unknown): { sent: Sent } | { errors: readonly FieldError[] } {
  if (!isObject(operation)) return { errors: [{ path: '', message: 'must be an operation' }] }
  const { op } = operation
  const schema = typeof op === 'string' ? strictSchemas.get(op) : undefined
  if (!schema) return { errors: [{ path: 'op', message: `must be one of ${[...strictSchemas.keys()].join(', ')}` }] }
  const shape = 'data' in operation ? { ...operation, data: null } : operation // any data is valid here
  const limits = bodyLimitErrors(shape, { known: itemNames, untouched: [] })
  if (limits.length > 0) return { errors: limits }
  const { value, errors } = validate<Sent>(schema, shape)
  if (errors.length > 0) return { errors }
  return { sent: 'data' in operation ? { ...value, data: operation.data } : value }
}

const strictSchemas = new Map(
  Object.entries(schemas).map(([op, schema]) => [op, schema.prefs({ ...commonRules, convert: false })]),
)
const itemNames = new Set(['op', 'item', ...Object.keys(updateFields)])

/** The error of an operation: `details.operation` names it, and the paths of its errors begin in the body. */
export function atOperation(n: number, { name, message, details = {}, retryAfterSeconds }: AppError): AppError {
  const { errors } = details as { errors?: FieldError[] }
  const located = errors?.map((error) => ({ ...error, path: pathIn(n, error.path) }))
  return new AppError(name, {
    message,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    details: { ...details, ...(located && { errors: located }), operation: n },
  })
}

/**
 * The answer to a dry run of a batch: the first of these errors, and all of them in `details.operations`.
 * @param errors one at least, each from `atOperation`, in any order
 */
export function dryRunError(errors: readonly AppError[]): AppError {
  const inOrder = errors.toSorted((a, b) => operationOf(a) - operationOf(b))
  const { name, message, details } = inOrder[0] ?? new AppError('VALIDATION_FAILED')
  return new AppError(name, { message, details: { ...details, operations: operationErrors(inOrder) } })
}

const operationOf = ({ details }: AppError) => Number(details?.operation)

/** The errors of each operation, up to the most errors of one answer. */
function operationErrors(rejections: readonly AppError[]) {
  let count = 0
  return rejections.flatMap(({ name, message, details }) => {
    const errors = (details as { errors?: FieldError[] }).errors ?? []
    count += Math.max(1, errors.length)
    return count > maxErrors ? [] : [{ operation: details?.operation, name, message, errors }]
  })
}

/** Converts a path in an operation to the path in the body. */
function pathIn(n: number, path: string): string {
  return path === '' ? `operations.${n}` : `operations.${n}.${path}`
}

/** A valid operation as it was sent. */
type Sent = ItemBody & { op: BatchOperation['op']; item: string }

/** @param text has `operations` as its only member, so that the first bracket opens them */
async function toOperations(sent: readonly Sent[], text: string): Promise<BatchOperation[]> {
  const pause = createTimeSlices()
  const operations: BatchOperation[] = []
  const elements = eachElement(text, text.indexOf('['))
  for (const operation of sent) {
    const { value } = elements.next()
    if (value) operations.push(toOperation(operation, text, value.start))
    await pause()
  }
  return operations
}

function toOperation({ op, item, ...body }: Sent, text: string, start: number): BatchOperation {
  if (op === 'delete') return { op, item }
  const dataText = 'data' in body ? textOfData(text, start) : undefined
  return op === 'create' ? { op, body, dataText } : { op, item, body, dataText }
}

function textOfData(text: string, start: number): string | undefined {
  const data = objectMembers(text, start).find(({ key }) => key === 'data')
  return data && text.slice(data.value, data.end)
}
