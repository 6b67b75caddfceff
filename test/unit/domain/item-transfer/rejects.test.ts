import test, { type ExecutionContext } from 'ava'
import { proposeColumns } from '#shared/domain/item-transfer/columns.ts'
import type { RejectedRow } from '#shared/domain/item-transfer/rejection.ts'
import { createRejectsWriter } from '#shared/domain/item-transfer/rejects.ts'
import { createDataWriter } from '#shared/domain/item-transfer/row-data.ts'
import { type FileFormat, openCsv, type Row, readCsvRows, readJsonRows } from '#shared/domain/item-transfer/rows.ts'

async function* bytesOf(text: string) {
  yield new TextEncoder().encode(text)
}

async function readCsv(text: string) {
  const file = await openCsv(bytesOf(text))
  const columns = proposeColumns(file.header, { schema: null, indexes: [] })
  const rows = await Array.fromAsync(readCsvRows(file, createDataWriter(columns, 'omit')))
  return { rows, source: { format: 'csv' as const, head: file.head, columns } }
}

const rejected = (rows: readonly Row[], message?: string): RejectedRow[] =>
  rows.map((row) => ({ row, errors: message === undefined ? row.errors : [{ message }] }))

/** The file of rejected rows after an import in which every row is rejected. */
async function rejectsOf(text: string, message?: string): Promise<string> {
  const { rows, source } = await readCsv(text)
  const writer = createRejectsWriter(source)
  return writer.head + writer.rows(rejected(rows, message), true) + writer.end
}

const dataOf = async (text: string) => (await readCsv(text)).rows.map(({ data }) => data)

test('rejected rows of CSV are unchanged byte for byte, with the reason in a column before them, which is not data', async (t) => {
  const text = '\uFEFFsep=;\r\nname;n\r\n"a;b" ;1\r\nc;1,5;x\r\nd\r\n5" e;1\r\n"f\n""g""";2'
  const file = await rejectsOf(text, 'it is "bad"; really')
  t.true(file.startsWith('\uFEFFsep=;\r\nimport_error;name;n\r\n'))
  for (const row of ['"a;b" ;1\r\n', 'c;1,5;x\r\n', 'd\r\n', '5" e;1\r\n', '"f\n""g""";2\r\n'])
    t.true(file.includes(`"it is ""bad""; really";${row}`), row)
  const { rows } = await readCsv(file)
  t.deepEqual(
    rows.map(({ data }) => data),
    [null, null, null, null, '{"name":"f\\n\\"g\\"","n":"2"}'],
  )
})

test('if the rows of a file of rejected rows are rejected again, only the new reasons are kept', async (t) => {
  const text = 'a,b\n1,2,3\n4" x,5\n6\n'
  const once = await rejectsOf(text)
  t.is(await rejectsOf(once, 'new'), 'import_error,a,b\nnew,1,2,3\nnew,4" x,5\nnew,6\n')
  t.deepEqual(await dataOf(once.replace('1,2,3', '1,"2,3"').replace('4" x', '"4"" x"').replace(/,6\n/, ',6,\n')), [
    '{"a":"1","b":"2,3"}',
    '{"a":"4\\" x","b":"5"}',
    '{"a":"6"}',
  ])
})

test('a column for reasons at another position is left out, and stays in its row', async (t) => {
  const once = await rejectsOf('a,import_error\nx,old\n', 'new')
  t.is(once, 'import_error,a,import_error\nnew,x,old\n')
  t.deepEqual(await dataOf(once), ['{"a":"x"}'])
})

test('rows of one column have a delimiter before them, and the last one a line break', async (t) => {
  t.is(await rejectsOf('a\nx', 'why'), 'import_error,a\nwhy,x\n')
  t.is(await rejectsOf('a\n"x"\n', 'why, then\nthere'), 'import_error,a\n"why, then there","x"\n')
})

async function rejectedJson(t: ExecutionContext, text: string, format: Exclude<FileFormat, 'csv'>) {
  const rows = await Array.fromAsync(readJsonRows(bytesOf(text), format))
  const writer = createRejectsWriter({ format, head: null, columns: [] })
  const [first, ...others] = rejected(rows, 'a "bad", [one]')
  t.truthy(first)
  return writer.head + writer.rows(first ? [first] : [], true) + writer.rows(others, false) + writer.end
}

test('rows of NDJSON follow their reasons, and the reasons are not rows', async (t) => {
  const text = '{"a": 1.0}\r\n{"b":\n\n#import_error row 9, line 9: old\n[ 3 ]\n'
  const file = await rejectedJson(t, text, 'ndjson')
  const why = 'a "bad", [one]'
  t.is(
    file,
    `#import_error row 1, line 1: ${why}\n{"a": 1.0}\r\n#import_error row 2, line 2: ${why}\n{"b":\n#import_error row 3, line 5: ${why}\n[ 3 ]\n`,
  )
  const again = await Array.fromAsync(readJsonRows(bytesOf(file.replace('{"b":\n', '{"b":2}\n')), 'ndjson'))
  t.deepEqual(
    again.map(({ data }) => data?.trim()),
    ['{"a": 1.0}', '{"b":2}', '[ 3 ]'],
  )
})

test('elements of a JSON array keep their line breaks, and form an array again', async (t) => {
  const file = await rejectedJson(t, '[\n {"a":\n  1.0},\n {"b" 2},"#import_error x"\n]', 'json')
  t.true(file.includes('{"a":\n  1.0}'))
  const corrected = file.replace('{"b" 2}', '{"b": 2}')
  for (const pieces of [[corrected], [...corrected]]) {
    const bytes = (async function* () {
      for (const piece of pieces) yield new TextEncoder().encode(piece)
    })()
    const again = await Array.fromAsync(readJsonRows(bytes, 'json'))
    t.deepEqual(
      again.map(({ data }) => data),
      ['{"a":\n  1.0}', '{"b": 2}', '"#import_error x"'],
    )
  }
})
