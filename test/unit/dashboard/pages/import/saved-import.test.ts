import test from 'ava'
import { isOfFile, readingOf, type SavedImport } from '#services/dashboard/pages/import/saved-import.ts'

const saved: SavedImport = {
  version: 1,
  file: { name: 'a.csv', size: 3 },
  format: 'csv',
  empty: 'null',
  columns: [
    { pointer: '/n', type: 'number' },
    { pointer: null, type: 'text' },
  ],
  state: { row: 2, digest: 'x', created: 1, refused: 1, leftOut: [] },
  refusedRows: [2],
  savedAt: '2026-01-31T12:00:00.000Z',
}

test('a saved import is of a file with the same name and size', (t) => {
  t.true(isOfFile(saved, new File(['abc'], 'a.csv')))
  t.false(isOfFile(saved, new File(['abcd'], 'a.csv')))
  t.false(isOfFile(saved, new File(['abc'], 'b.csv')))
})

test('its columns are those of the file by position, unless the file has another number of them', (t) => {
  t.deepEqual(readingOf(saved, ['a', 'b']), {
    format: 'csv',
    empty: 'null',
    columns: [
      { name: 'a', pointer: '/n', type: 'number' },
      { name: 'b', pointer: null, type: 'text' },
    ],
  })
  t.is(readingOf(saved, ['a']), null)
  t.deepEqual(readingOf({ ...saved, format: 'ndjson', columns: [] }, []), {
    format: 'ndjson',
    empty: 'null',
    columns: [],
  })
})
