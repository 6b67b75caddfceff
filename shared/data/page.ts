import { page } from '#shared/domain/limits.ts'
import { validationFailed } from '#shared/errors.ts'

export type Direction = 'asc' | 'desc'

/** Which page of which listing: by number, or after a cursor (contract 1.3). */
export type PageRequest = {
  limit: number
  order: string
  direction: Direction
  /** The filters as one text: a cursor is valid only for the filters it was made with. */
  filters: string
} & ({ page: number } | { after: string })

/** A page in the shape of the API, its rows still domain values. */
export type Page<T> = NumberedPage<T> | CursorPage<T>
export type NumberedPage<T> = {
  page: number
  limit: number
  total: number
  /** Present when counting a filtered total stopped at its limit. */
  totalIsAtLeast?: true
  data: T[]
}
export type CursorPage<T> = { limit: number; next: string | null; data: T[] }

/** What rows are ordered by. Text is compared by code points, so pass it case-folded. */
export type OrderKey = string | number | boolean | null

/**
 * How many of the rows fit one page, which is also bounded in bytes and holds at least one row. A page by cursor ends early
 * when they do not all fit.
 * @param bytesOfRows the size of each row's texts
 * @throws VALIDATION_FAILED for a page by number when they do not all fit
 */
export function fittingRows(request: PageRequest, bytesOfRows: readonly number[]): number {
  let bytes = 0
  for (const [n, rowBytes] of bytesOfRows.entries()) {
    bytes += rowBytes
    if (n === 0 || bytes <= page.maxBytes) continue
    if ('after' in request) return n
    const message = 'asks for more than 8 MiB; ask for fewer, or page with after, where pages end early'
    throw validationFailed([{ path: 'limit', message }])
  }
  return bytesOfRows.length
}
