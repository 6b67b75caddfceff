/**
 * A set of rows as one binding: `json_each` over a JSON array of arrays, its columns named.
 * `... where id in (select id from ${jsonRows(['id'])})` takes `JSON.stringify([[id1], [id2]])`.
 */
export function jsonRows(columns: readonly string[]): string {
  const selected = columns.map((name, position) => `value ->> ${position} as ${name}`)
  return `(select ${selected.join(', ')} from json_each(?)) as given`
}
