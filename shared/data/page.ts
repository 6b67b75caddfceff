import { page } from '#shared/domain/limits.ts'
import { validationFailed } from '#shared/errors.ts'

export type Direction = 'asc' | 'desc'

/** Which page of what: by number, or behind a cursor (contract 1.3). */
export type PageRequest = {
  limit: number
  order: string
  direction: Direction
  /** The filters as one text: a cursor is only good for the filters it was made with. */
  filters: string
} & ({ page: number } | { after: string })

/** A page as it goes on the wire, its rows still domain values. */
export type Page<T> = NumberedPage<T> | CursorPage<T>
export type NumberedPage<T> = {
  page: number
  limit: number
  total: number
  /** Present when a filtered total was not counted to its end. */
  totalIsAtLeast?: true
  data: T[]
}
export type CursorPage<T> = { limit: number; next: string | null; data: T[] }

/** What rows are ordered by; text is compared by code points, so it is handed over in its caseless form. */
export type OrderKey = string | number | boolean | null

/**
 * How many of the rows that were found one page holds, by the bytes of their texts: it is bounded in bytes too, and holds
 * one row at least. A page by cursor ends early then.
 * @throws VALIDATION_FAILED for a page by number, where that would leave rows out
 */
export function fittingRows(request: PageRequest, bytesOfRows: readonly number[]): number {
  let bytes = 0
  for (const [n, ofRow] of bytesOfRows.entries()) {
    bytes += ofRow
    if (n === 0 || bytes <= page.maxBytes) continue
    if ('after' in request) return n
    const message = 'asks for more than 8 MiB; ask for fewer, or page with after, where pages end early'
    throw validationFailed([{ path: 'limit', message }])
  }
  return bytesOfRows.length
}
