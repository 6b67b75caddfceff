import test from 'ava'
import type { Queries, Transaction } from '#shared/data/database.ts'
import { mysqlDialect } from '#shared/data/sql/dialects/mysql.ts'
import { postgresDialect } from '#shared/data/sql/dialects/postgres.ts'
import { sqliteDialect } from '#shared/data/sql/dialects/sqlite.ts'
import { type Columns, insertRows, rowMapper, upsertRows } from '#shared/data/sql/insert-rows.ts'
import { renderQuery } from '#shared/data/sql/render.ts'

type Pet = { id: string; name: string; age: number | null }

const settings = { name: (pet) => pet.name } satisfies Columns<Pet>
const petRows = rowMapper('pets', { id: (pet: Pet) => pet.id, ...settings, age: (pet) => pet.age })

const pets = Array.from({ length: 65 }, (_, n) => ({ id: `${n}`, name: `Pet ${n}`, age: n === 1 ? null : n }))

/** A transaction that records its statements. */
function recorder(dialect: Queries['dialect'] = sqliteDialect) {
  const sent: { text: string; bindings: readonly unknown[] }[] = []
  const tx = {
    dialect,
    pipeline: (steps: readonly (() => unknown)[]) => Promise.all(steps.map((step) => step())),
    run: async (query: Parameters<Queries['run']>[0], bindings?: readonly unknown[]) => {
      sent.push(renderQuery(dialect, query, bindings))
      return 1
    },
  }
  return { tx: tx as unknown as Transaction, sent }
}

test('each column has the value declared next to its name', async (t) => {
  const { tx, sent } = recorder()
  await insertRows(tx, petRows(pets.slice(0, 2)))
  t.deepEqual(sent, [
    {
      text: 'insert into pets ("id", "name", "age") values (?, ?, ?), (?, ?, ?)',
      bindings: ['0', 'Pet 0', 0, '1', 'Pet 1', null],
    },
  ])
})

test('rows are inserted in order, as many per statement as the dialect allows', async (t) => {
  for (const dialect of [sqliteDialect, mysqlDialect('utf8mb4_0900_bin')]) {
    const { tx, sent } = recorder(dialect)
    await insertRows(tx, petRows(pets))
    t.deepEqual(
      sent.flatMap(({ bindings }) => bindings),
      pets.flatMap(({ id, name, age }) => [id, name, age]),
    )
    t.true(sent.length > 1)
    for (const { text, bindings } of sent) t.is(text.split('?').length - 1, bindings.length)
  }
})

test('on Postgres the text for many rows does not depend on their number', async (t) => {
  const { tx, sent } = recorder(postgresDialect)
  await insertRows(tx, petRows(pets.slice(0, 8)))
  await insertRows(tx, petRows(pets))
  await upsertRows(tx, petRows(pets.slice(2, 20).map((pet) => ({ ...pet, age: null }))), { changed: settings })
  const insert = 'insert into pets ("id", "name", "age") select'
  const all = `${insert} "id", "name", "age"\n    from unnest(?::text[], ?::text[], ?::int8[]) as input ("id", "name", "age")`
  const noAge = `${insert} "id", "name", null\n    from unnest(?::text[], ?::text[]) as input ("id", "name")`
  const set = 'on conflict (id) do update set "name" = excluded."name"'
  t.deepEqual(
    sent.map(({ text }) => text),
    [all, all, `${noAge} ${set}`],
  )
})

test('without rows there is no statement', async (t) => {
  const { tx, sent } = recorder()
  await insertRows(tx, petRows([]))
  await upsertRows(tx, petRows([]), { changed: settings })
  t.deepEqual(sent, [])
})

test('an upsert sets only the columns that may change', async (t) => {
  const { tx, sent } = recorder()
  await upsertRows(tx, petRows(pets.slice(0, 1)), { changed: settings })
  t.deepEqual(sent, [
    {
      text: 'insert into pets ("id", "name", "age") values (?, ?, ?) on conflict (id) do update set "name" = excluded."name"',
      bindings: ['0', 'Pet 0', 0],
    },
  ])
  // @ts-expect-error: the rows have no such column
  const unknownColumn = () => upsertRows(tx, petRows(pets), { colour: () => 'red' })
  // @ts-expect-error: the value may be undefined
  const noValue = rowMapper<{ name?: string }>('pets', { name: (pet) => pet.name })
  t.truthy([unknownColumn, noValue])
})
