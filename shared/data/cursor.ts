import { createHash } from 'node:crypto'
import { validationFailed } from '#shared/errors.ts'
import type { Direction, OrderKey, PageRequest } from './page.ts'
import type { Sql } from './sql/dialect.ts'
import { raw, sql } from './sql/sql.ts'

/** Where a row stands in its order: equal keys are ordered by id. */
export type SeekPosition = { key: OrderKey; id: string }

/**
 * Whether a row comes behind a place in the order of its key and then its id. The key is compared on its own too, because
 * MySQL makes no range of an index from the comparison of both.
 * @param row expressions, not values
 */
export function after(
  { key, id, direction }: { key: string; id: string; direction: Direction },
  place: SeekPosition,
): Sql {
  const sign = direction === 'asc' ? '>' : '<'
  return sql`${raw(`${key} ${sign}= `)}${place.key} and ${raw(`(${key}, ${id}) ${sign} `)}(${place.key}, ${place.id})`
}

/** Below 0: the left one comes first. */
export function comparePositions(left: SeekPosition, right: SeekPosition, direction: Direction): number {
  if (left.key === null || right.key === null) {
    if (left.key !== right.key) return left.key === null ? 1 : -1
  }
  const ascending = compareKeys(left.key, right.key) || compareKeys(left.id, right.id)
  return direction === 'asc' ? ascending : -ascending
}

function compareKeys(left: OrderKey, right: OrderKey): number {
  if (typeof left === 'string' && typeof right === 'string')
    return Buffer.compare(Buffer.from(left), Buffer.from(right))
  return Math.sign(Number(left) - Number(right))
}

/** A cursor says where the page ended, and of which listing: `[key, id, fingerprint]`. */
export function makeCursor({ key, id }: SeekPosition, request: PageRequest): string {
  return Buffer.from(JSON.stringify([key, id, fingerprint(request)])).toString('base64url')
}

/**
 * @param isKey whether a key can be one of this order: cursors are not signed
 * @throws VALIDATION_FAILED for what is no cursor, or was made with another order, direction or filter
 */
export function readCursor(
  text: string,
  request: PageRequest,
  isKey: (key: OrderKey) => boolean = () => true,
): SeekPosition {
  const [key, id, madeFor] = parseCursor(text)
  if (!isKey(key)) throw badCursor(noCursor)
  if (madeFor !== fingerprint(request)) throw badCursor('was made with another order, direction or filter')
  return { key, id }
}

function parseCursor(text: string): [OrderKey, string, string] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (isCursor(parts)) return parts
  } catch {
    // no JSON: no cursor either
  }
  throw badCursor(noCursor)
}

const noCursor = 'is not a cursor of this service'

function isCursor(parts: unknown): parts is [OrderKey, string, string] {
  if (!Array.isArray(parts) || parts.length !== 3) return false
  const [key, id, madeFor] = parts
  return isOrderKey(key) && isStorable(id) && typeof madeFor === 'string'
}

function isOrderKey(key: unknown): boolean {
  return key === null || typeof key === 'boolean' || Number.isFinite(key) || isStorable(key)
}

/** No column holds U+0000, and Postgres refuses to be asked for it. */
function isStorable(text: unknown): text is string {
  return typeof text === 'string' && !text.includes('\u0000')
}

function badCursor(message: string) {
  return validationFailed([{ path: 'after', message }])
}

function fingerprint({ order, direction, filters }: PageRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([order, direction, filters]))
    .digest('base64url')
    .slice(0, 12)
}
