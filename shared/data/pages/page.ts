export type Direction = 'asc' | 'desc'

/** Which page of which listing: by number, or after a cursor (contract 1.3). */
export type PageRequest = {
  limit: number
  order: string
  direction: Direction
  /** The filters as one text: a cursor is valid only for the filters for which it was issued. */
  filters: string
  /** Seals its cursors, for a caller who does not see every row that they may name; absent: they are plain. */
  sealing?: CursorSealing
} & ({ page: number } | { after: string })

/** A page in the shape of the API, whose rows are domain values. */
export type Page<T> = NumberedPage<T> | CursorPage<T>
export type NumberedPage<T> = { page: number; limit: number; data: T[] } & Total
export type Total = {
  total: number
  /** Present when counting a filtered total stopped at its limit. */
  totalIsAtLeast?: true
}
export type CursorPage<T> = {
  limit: number
  next: string | null
  /** How many rows were examined by a page that ended before it was full; for callers who see all of them. */
  examined?: number
  data: T[]
}

/** Encrypts the text of cursors. `open` throws if the text was not sealed this way. */
export type CursorSealing = { seal(text: string): string; open(sealed: string): string }

/** The key that rows are ordered by. Text is compared by code points, so pass it case-folded. */
export type OrderKey = string | number | boolean | null
