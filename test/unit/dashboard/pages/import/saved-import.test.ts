import test from 'ava'
import { isOfFile, readingOf, type SavedImport } from '#services/dashboard/pages/import/saved-import.ts'

const saved: SavedImport = {
  version: 2,
  importId: 'i',
  file: { name: 'a.csv', size: 3 },
  format: 'csv',
  empty: 'null',
  isGuarded: true,
  columns: [
    { pointer: '/n', type: 'number' },
    { pointer: null, type: 'text', isUndecided: true },
  ],
  state: { row: 2, digest: 'x', created: 1, existing: 0, refused: 1, leftOut: [], sending: null },
  refusedRows: [2],
  savedAt: '2026-01-31T12:00:00.000Z',
}

test('a saved import belongs to a file with the same name and size', (t) => {
  t.true(isOfFile(saved, new File(['abc'], 'a.csv')))
  t.false(isOfFile(saved, new File(['abcd'], 'a.csv')))
  t.false(isOfFile(saved, new File(['abc'], 'b.csv')))
})

test('its columns match those of the file by position, unless the file has another number of columns', (t) => {
  t.deepEqual(readingOf(saved, ['a', 'b']), {
    format: 'csv',
    empty: 'null',
    isGuarded: true,
    columns: [
      { name: 'a', pointer: '/n', type: 'number' },
      { name: 'b', pointer: null, type: 'text', isUndecided: true },
    ],
    arrays: [],
  })
  t.is(readingOf(saved, ['a']), null)
  t.deepEqual(readingOf({ ...saved, format: 'ndjson', columns: [] }, []), {
    format: 'ndjson',
    empty: 'null',
    isGuarded: true,
    columns: [],
    arrays: [],
  })
  t.deepEqual(readingOf({ ...saved, arrays: ['/t'] }, ['a', 'b'])?.arrays, ['/t'])
})
