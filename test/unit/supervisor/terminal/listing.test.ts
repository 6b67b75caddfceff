import test from 'ava'
import { formatTime, listing } from '#services/supervisor/terminal/listing.ts'

const rows = [
  { id: '1', name: 'a long name', active: true, at: formatTime(0) },
  { id: '22', name: 'b', active: false, at: formatTime(null) },
]
const columns = { id: 'id', name: 'name', live: 'active', created: 'at' } as const

test('rows are in columns with titles', (t) => {
  t.is(
    listing(rows, { columns }),
    'ID  NAME         LIVE  CREATED\n' +
      '1   a long name  yes   1970-01-01T00:00:00.000Z\n' +
      '22  b            no    -\n',
  )
  t.is(listing([], { columns }), 'ID  NAME  LIVE  CREATED\n')
})

test('with --json rows are one array with all their properties', (t) => {
  t.deepEqual(JSON.parse(listing(rows, { columns: { id: 'id' }, json: true })), rows)
  t.is(listing([], { columns, json: true }), '[]\n')
})

test('a name cannot move the cursor of a terminal', (t) => {
  const text = listing([{ name: 'a\u001b[2J\nb\u202ec' }], { columns: { name: 'name' } })
  t.is(text, 'NAME\na\u{FFFD}[2J\u{FFFD}b\u{FFFD}c\n')
})
