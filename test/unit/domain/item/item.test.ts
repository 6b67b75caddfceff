import test from 'ava'
import { serializeItem } from '#shared/domain/item/item.ts'
import { plainItem } from '../../../support/databases/contents/items.ts'

test('an item has these fields, with ISO 8601 times and without internal ones', (t) => {
  t.is(
    serializeItem(plainItem({ tags: ['a'], description: 'A "soup"\n' }), { includeData: true }),
    '{"id":"item-1","createdAt":"2026-03-01T00:00:00.000Z","updatedAt":"2026-03-01T10:20:30.004Z","identity":null,' +
      '"data":{"title":"Soup"},"version":"1.0.0","readonly":false,"activated":true,"description":"A \\"soup\\"\\n",' +
      '"tags":["a"],"size":16,"locked":false}',
  )
})

test('data is its source text, whatever a parser would make of it', (t) => {
  const data = '{"10":1e400,"2":9007199254740993,"__proto__":-0}'
  t.true(serializeItem(plainItem({ data }), { includeData: true }).includes(`,"data":${data},`))
})

test('the owner is an id and a display name', (t) => {
  const identity = { id: 'identity-1', displayName: 'Ann', email: 'ann@example.com' }
  const json = JSON.parse(serializeItem(plainItem({ identity }), { includeData: true }))
  t.deepEqual(json.identity, { id: 'identity-1', displayName: 'Ann' })
})

test('its etag comes last, if it is requested', (t) => {
  const item = serializeItem(plainItem(), { includeData: false })
  t.is(serializeItem(plainItem(), { includeData: false, etag: '"7"' }), `${item.slice(0, -1)},"etag":"\\"7\\""}`)
})

test('without data the key is absent', (t) => {
  const json = JSON.parse(serializeItem(plainItem(), { includeData: false }))
  t.false('data' in json)
  t.is(json.size, 16)
})
