import { createHash } from 'node:crypto'
import { validationFailed } from '#shared/errors.ts'
import { compareTexts } from '#shared/json/compare/compare-texts.ts'
import type { Sql } from '../dialect.ts'
import { raw, sql } from '../sql/sql.ts'
import type { CursorSealing, Direction, OrderKey, PageRequest } from './page.ts'

/** The position of a row in its order: equal keys are ordered by id. */
export type SeekPosition<K extends OrderKey = OrderKey> = { key: K; id: string }

/**
 * The condition that a row comes after a position, ordered by its key and then its id. The key is compared on its own too,
 * because MySQL derives no index range from the comparison of the pair.
 * @param row SQL expressions for the key and the id
 * @param options.inclusive whether the row at the position is among them
 */
export function after(
  { key, id, direction }: { key: string; id: string; direction: Direction },
  position: SeekPosition,
  { inclusive = false }: { inclusive?: boolean } = {},
): Sql {
  const sign = direction === 'asc' ? '>' : '<'
  const ofPair = inclusive ? `${sign}=` : sign
  return sql`${raw(`${key} ${sign}= `)}${position.key} and ${raw(`(${key}, ${id}) ${ofPair} `)}(${position.key}, ${position.id})`
}

/** Below 0 when the left one comes first. Positions without a key come last in both directions. */
export function comparePositions(left: SeekPosition, right: SeekPosition, direction: Direction): number {
  if (left.key === null || right.key === null) {
    if (left.key !== right.key) return left.key === null ? 1 : -1
  }
  const ascending = compareKeys(left.key, right.key) || compareKeys(left.id, right.id)
  return direction === 'asc' ? ascending : -ascending
}

function compareKeys(left: OrderKey, right: OrderKey): number {
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right)
  return Math.sign(Number(left) - Number(right))
}

/** A cursor contains the position where the page ended and a fingerprint of the listing: `[key, id, fingerprint]`. */
export function makeCursor({ key, id }: SeekPosition, request: PageRequest): string {
  const text = JSON.stringify([key, id, fingerprint(request)])
  return Buffer.from(request.sealing ? request.sealing.seal(text) : text).toString('base64url')
}

/**
 * @param isKey whether a key has the type of this order's keys; cursors are not signed, so a client can alter them
 * @throws VALIDATION_FAILED when the text is not a cursor, or was issued for another order, direction or filter
 */
export function readCursor<K extends OrderKey>(
  text: string,
  request: PageRequest,
  isKey: (key: OrderKey) => key is K,
): SeekPosition<K> {
  const [key, id, issuedFor] = parseCursor(text, request.sealing)
  if (!isKey(key)) throw badCursor(notACursor)
  if (issuedFor !== fingerprint(request)) throw badCursor('was issued for another order, direction or filter')
  return { key, id }
}

function parseCursor(text: string, sealing?: CursorSealing): [OrderKey, string, string] {
  try {
    const plain = Buffer.from(text, 'base64url').toString()
    const parts: unknown = JSON.parse(sealing ? sealing.open(plain) : plain)
    if (isCursor(parts)) return parts
  } catch {
    // not JSON, or not sealed
  }
  throw badCursor(notACursor)
}

const notACursor = 'is not a cursor of this service'

function isCursor(parts: unknown): parts is [OrderKey, string, string] {
  if (!Array.isArray(parts) || parts.length !== 3) return false
  const [key, id, issuedFor] = parts
  return isOrderKey(key) && isStorable(id) && typeof issuedFor === 'string'
}

function isOrderKey(key: unknown): boolean {
  return key === null || typeof key === 'boolean' || Number.isFinite(key) || isStorable(key)
}

/** No column contains U+0000, and Postgres rejects it as a parameter. */
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
