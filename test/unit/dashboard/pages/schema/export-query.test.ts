import test from 'ava'
import {
  type ExportQuery,
  exportAddress,
  exportCommand,
  readExportQuery,
} from '#services/dashboard/pages/schema/export-query.ts'

const queries: readonly (readonly [ExportQuery, string])[] = [
  [{ scope: null, tagged: '', lists: '' }, 'listd schema pull'],
  [{ scope: 'cookbook', tagged: '', lists: '' }, 'listd schema pull --scope cookbook'],
  [{ scope: '', tagged: '', lists: '' }, "listd schema pull --scope ''"],
  [
    { scope: null, tagged: 'a b,c', lists: 'recipes,menus' },
    "listd schema pull --tagged 'a b,c' --lists recipes,menus",
  ],
  [{ scope: null, tagged: "it's", lists: '' }, "listd schema pull --tagged 'it'\\''s'"],
]

test('an export is written into the address, and read from it', (t) => {
  for (const [query] of queries) {
    const { searchParams } = new URL(exportAddress(query), 'http://localhost')
    t.is(searchParams.get('tab'), 'export')
    t.deepEqual(readExportQuery(searchParams), query)
  }
  t.is(readExportQuery(new URLSearchParams('tab=export')), null)
})

test('the equivalent command quotes what a shell would split', (t) => {
  for (const [query, command] of queries) t.is(exportCommand(query), command)
})
