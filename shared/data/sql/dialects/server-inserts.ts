const sizes = [64, 32, 28, 24, 20, 16, 14, 12, 10, 8, 7, 6, 5, 4, 3, 2, 1]

/**
 * A statement that is not prepared yet costs twice as much, and a server prepares it per connection. So inserts come in few
 * sizes; any number of rows up to 40 needs two statements at most. All sizes together take 4 MB in a Postgres connection.
 */
export function rowsOfServerInsert(waiting: number): number {
  return sizes.find((size) => size <= waiting) ?? 1
}
