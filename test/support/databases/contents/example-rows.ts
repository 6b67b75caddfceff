import type { TableShape } from '#shared/data/copy/tables.ts'
import type { Database, Row } from '#shared/data/database.ts'

/** Text that databases tend to change: emoji, quotes, backslashes, white space at the end, composed and decomposed letters. */
const awkwardText = 'é e\u0301 👩‍🍳 \'";--\\n \t\r\n '
/** JSON that parsing and printing would change. */
const awkwardJson = '{ "10": 1e400, "9": 9007199254740993, "a": "\\u0000\\ud83d", "a": [] , "é👩‍🍳": -0.0 }  '

/** Rows for every column of a table, with the longest and largest values that its types hold; keys differ. */
export function exampleRows({ columns, key }: TableShape, count: number): Row[] {
  return Array.from({ length: count }, (_, n) =>
    Object.fromEntries(
      columns.map(({ name, type }, position) => [
        name,
        exampleOf(type, { n: n + position, inKey: key.includes(name) }),
      ]),
    ),
  )
}

/** Values of unique columns differ by their beginning. */
function exampleOf(type: string, { n, inKey }: { n: number; inKey: boolean }): string | number {
  if (type === 'bigint') return inKey ? n : Number.MAX_SAFE_INTEGER - n
  if (type === 'smallint') return n % 2
  if (type === 'text') return `${n}${awkwardJson}`
  const length = Number(/^varchar\((\d+)\)$/.exec(type)?.[1])
  if (Number.isNaN(length)) throw new Error(`there is no example of the type ${type}`)
  return cut(`${n}${awkwardText.repeat(10)}`, length)
}

/** The first characters, as the databases count them. */
function cut(text: string, length: number): string {
  return [...text].slice(0, length).join('')
}

/** Inserts rows one by one, without the code that copies. */
export async function insertExamples(db: Database, { name }: TableShape, rows: readonly Row[]): Promise<void> {
  await db.transaction(async (tx) => {
    for (const row of rows) await tx.run(db.build(name).insert(row))
  })
}
