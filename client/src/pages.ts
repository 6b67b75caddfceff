import type { ListdError } from './error.ts'
import { type Filter, whereQuery } from './filters.ts'
import type { Answer, CallOptions, Query, Send } from './transport.ts'

/** A page by number. */
export type Page<T> = { page: number; limit: number; total: number; totalIsAtLeast?: true; data: T[] }

/**
 * A cursor page; `next` is the cursor of the next page, null at the end. `examined`: if the service checks rows one by one, the number that
 * it examined before ending the page early.
 */
export type CursorPage<T> = { limit: number; next: string | null; examined?: number; data: T[] }

/** Rows of a resource: all with `for await`, which stays correct while rows are written, or one page. */
export type Pages<T> = AsyncIterable<T> & {
  /** The page with this number, from 1. */
  page(number: number): Answer<Page<T>>
  /** The page after a cursor; without one, the first. */
  after(cursor?: string): Answer<CursorPage<T>>
  /** The first row; null: none. */
  first(): Promise<T | null>
  /** The first rows, up to a number. */
  toArray(most: number): Promise<T[]>
  /** The number of rows. With a filter, the service counts at most 10,000; `isAtLeast`: there may be more. */
  total(): Promise<{ total: number; isAtLeast: boolean }>
  /** Prevents `await` on pages, which would yield neither all rows nor a page. @throws TypeError */
  then(cannotBeAwaited: never): never
}

/** Conditions on fields: a text must be equal, ignoring case. `tagged`: a comma is OR, an array is AND. */
export type Where<Texts extends string = never, Flags extends string = 'activated'> = {
  [Name in Texts]?: Filter<string>
} & { [Name in Flags]?: boolean } & { tagged?: string | readonly string[] }

export type PageOptions<W = Where> = CallOptions & {
  where?: W | undefined
  order?: string | undefined
  direction?: 'asc' | 'desc' | undefined
  /** Rows per page, 1 to 100. Default with `for await`: 100. */
  limit?: number | undefined
}

/** Reads pages; sends nothing until one is read. */
export function createPages<T>(
  send: Send,
  route: string,
  options: object = {},
  conditions: (where: never) => Query = whereQuery,
): Pages<T> {
  const { where = {}, ...query } = options as Query & { where?: object }
  const ask = <P>(more: Query) => send<P>(route, { options: { ...query, ...conditions(where as never), ...more } })
  const after = (cursor: string | null = '', more: Query = {}) => {
    if (cursor === null) throw new TypeError('There are no more pages')
    return ask<CursorPage<T>>({ ...more, after: cursor })
  }
  const pageSize = Number(query.limit ?? 100)
  async function* read(limit: number) {
    let cursor: string | null = ''
    do {
      const { data, next }: CursorPage<T> = await after(cursor, { limit })
      yield* data
      cursor = next
    } while (cursor)
  }
  async function toArray(most: number) {
    if (!(most >= 1)) throw new TypeError('toArray needs the maximum number of rows, such as toArray(20)')
    const rows: T[] = []
    for await (const row of read(Math.min(most, pageSize))) if (rows.push(row) >= most) break
    return rows
  }
  return {
    [Symbol.asyncIterator]: () => read(pageSize),
    page: (number) => ask<Page<T>>({ page: number }),
    after: (cursor) => after(cursor),
    first: async () => (await toArray(1))[0] ?? null,
    toArray,
    async total() {
      const light = query.includeData ? { includeData: false, fields: null, path: null } : {}
      try {
        const { total, totalIsAtLeast = false } = await ask<Page<T>>({ page: 1, limit: 1, ...light })
        return { total, isAtLeast: totalIsAtLeast }
      } catch (error) {
        if ((error as ListdError).name !== 'QUESTION_TOO_BROAD') throw error
        return { total: 0, isAtLeast: true } // none among those that one call looks at
      }
    },
    // biome-ignore lint/suspicious/noThenProperty: `await` is what it rejects
    then() {
      throw new TypeError(
        'Pages cannot be awaited: read them with "for await", or await .page(1), .toArray(20) or .first()',
      )
    },
  }
}
