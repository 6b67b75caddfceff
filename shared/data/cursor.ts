import { createHash } from 'node:crypto'
import { validationFailed } from '#shared/errors.ts'
import type { Direction, OrderKey, PageRequest } from './page.ts'

/** Where a row stands in its order: equal keys are ordered by id. */
export type Place = { key: OrderKey; id: string }

/** How the key and id of a row compare to those of a place that it comes behind. */
export const beyond: Record<Direction, '<' | '>'> = { asc: '>', desc: '<' }

/** A cursor says where the page ended, and of which listing: `[key, id, fingerprint]`. */
export function makeCursor({ key, id }: Place, request: PageRequest): string {
  return Buffer.from(JSON.stringify([key, id, fingerprint(request)])).toString('base64url')
}

/**
 * @param isKey whether a key can be one of this order: cursors are not signed
 * @throws VALIDATION_FAILED for what is no cursor, or was made with another order, direction or filter
 */
export function readCursor(text: string, request: PageRequest, isKey: (key: OrderKey) => boolean = () => true): Place {
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
  const keyFits = key === null || ['string', 'number', 'boolean'].includes(typeof key)
  return keyFits && typeof id === 'string' && typeof madeFor === 'string'
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
