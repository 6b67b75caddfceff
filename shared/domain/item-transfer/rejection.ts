import type { RowError } from './row-data.ts'
import type { Row } from './rows.ts'

/** A rejected row and its errors. `isTaken`: another item has its alias. */
export type RejectedRow = { row: Row; errors: readonly RowError[]; isTaken?: boolean }

/** The parts of an API error that an import uses; `status` 0: there was no answer. */
export type AnsweredError = Error & {
  status: number
  details?: { operation?: number; operations?: unknown; errors?: FieldError[] } | undefined
  retryAfterSeconds?: number | undefined
}

type FieldError = { path: string; pointer?: string; message: string }
type OperationError = { operation: number; name?: string; message?: string; errors?: FieldError[] | undefined }

export function isAnsweredError(error: unknown): error is AnsweredError {
  return error instanceof Error && typeof (error as Partial<AnsweredError>).status === 'number'
}

/** Whether the same request may succeed later. */
export function isTransient({ name, status }: AnsweredError): boolean {
  return status === 429 || status === 503 || /^(CONNECTION_FAILED|TIMED_OUT|INDEX_BUILDING)$/.test(name)
}

/** Errors of a single row. All others affect all rows, for example if the token may not create items. */
const errorsOfRows = /^(VALIDATION_FAILED|ITEM_SCHEMA_INVALID|ITEM_ALIAS_TAKEN|PAYLOAD_TOO_LARGE)$/

/**
 * The rows that caused the rejection of a batch: all for a dry run, otherwise the first.
 * @param sent the rows of the batch's operations
 */
export function rejectedRows(error: unknown, sent: readonly Row[]): RejectedRow[] {
  if (!isAnsweredError(error) || !errorsOfRows.test(error.name)) return []
  const { operation, operations, errors } = error.details ?? {}
  const named = Array.isArray(operations)
    ? (operations as OperationError[])
    : operation === undefined
      ? []
      : [{ operation, message: error.message, errors: errors?.filter(({ path }) => isOf(operation, path)) }]
  return named.flatMap((one) => {
    const row = sent[one.operation]
    const isTaken = (one.name ?? error.name) === 'ITEM_ALIAS_TAKEN'
    return row ? [{ row, errors: rowErrors(one, error.message), isTaken }] : []
  })
}

const isOf = (operation: number, path: string) => `${path}.`.startsWith(`operations.${operation}.`)

function rowErrors({ message, errors = [] }: Omit<OperationError, 'operation'>, otherwise: string): RowError[] {
  if (errors.length === 0) return [{ message: message ?? otherwise }]
  return errors.map(({ path, pointer, message: why }) => {
    if (pointer !== undefined) return { pointer, message: why }
    const where = path.replace(/^operations\.\d+\.?(data\.?)?/, '')
    return { message: where === '' ? why : `${where}: ${why}` }
  })
}

/** A row's errors, one sentence each, with the column or pointer. */
export function describeErrors(
  errors: readonly RowError[],
  columns: readonly { name: string; pointer: string | null }[],
): string[] {
  const names = errors.length === 0 ? new Map() : namesByPointer(columns)
  return errors.map(({ column, pointer, message }) => {
    const name = column || names.get(pointer)
    const where = name ? `column ${name}` : pointer
    return where === undefined || where === '' ? message : `${where}: ${message}`
  })
}

const known = new WeakMap<readonly object[], ReadonlyMap<string | null | undefined, string>>()

/** The names of columns by pointer, built once for all rows of a file. */
function namesByPointer(columns: readonly { name: string; pointer: string | null }[]) {
  const found =
    known.get(columns) ?? new Map(columns.flatMap(({ name, pointer }) => (pointer === null ? [] : [[pointer, name]])))
  known.set(columns, found)
  return found
}
