import test from 'ava'
import {
  type EventEntry,
  redactSnapshot,
  serializeEvent,
  streamOf,
  userIdsOf,
  withoutItems,
} from '#shared/domain/event.ts'
import { serializeItem } from '#shared/domain/item/item.ts'
import { plainItem } from '../../support/databases/contents/items.ts'

const entry: EventEntry = {
  id: 'event-1',
  createdAt: Date.UTC(2026, 2, 1, 10, 20, 30, 4),
  stream: 'item',
  type: 'item-updated',
  modelId: 'item-1',
  listId: 'list-1',
  version: '1.0.1',
  actor: '{"authMode":"user","tokenId":null,"identityId":null}',
  snapshot: '{"n":1.0,"10":1,"2":12345678901234567890}',
  attachments: null,
}

test('an entry is shown with its times, its actor and its snapshot as it was written', (t) => {
  t.is(
    serializeEvent(entry, null),
    '{"id":"event-1","createdAt":"2026-03-01T10:20:30.004Z","updatedAt":"2026-03-01T10:20:30.004Z","stream":"item",' +
      '"type":"item-updated","modelId":"item-1","listId":"list-1","version":"1.0.1",' +
      '"actor":{"authMode":"user","tokenId":null,"identityId":null},' +
      '"snapshot":{"n":1.0,"10":1,"2":12345678901234567890}}',
  )
})

test('an entry by the service itself has no actor; snapshot and attachments are present only if there are any', (t) => {
  const noted: EventEntry = { ...entry, stream: 'webhook', type: 'webhook-disabled', version: null, actor: 'null' }
  const json = JSON.parse(serializeEvent({ ...noted, snapshot: null, attachments: '{"reason":"x"}' }, null))
  t.is(json.actor, null)
  t.is(json.version, null)
  t.deepEqual(json.attachments, { reason: 'x' })
  t.false('snapshot' in json)
  t.false('attachments' in JSON.parse(serializeEvent(entry, null)))
})

test('only users see which user caused a change', (t) => {
  const actor = '{"authMode":"user","tokenId":null,"identityId":null,"userId":"u-1"}'
  const seen = (users: ReadonlyMap<string, string> | null) =>
    JSON.parse(serializeEvent({ ...entry, actor }, users)).actor
  const plain = { authMode: 'user', tokenId: null, identityId: null }
  t.deepEqual(seen(null), plain)
  t.deepEqual(seen(new Map([['u-1', 'Ada']])), { ...plain, userId: 'u-1', userName: 'Ada' })
  t.deepEqual(seen(new Map()), { ...plain, userId: 'u-1', userName: null })
  t.deepEqual(userIdsOf([{ actor }, { actor }, entry, { actor: 'null' }]), ['u-1'])
})

test('the stream of a type is its first word', (t) => {
  t.is(streamOf('item-created'), 'item')
  t.is(streamOf('webhook-backlog-full'), 'webhook')
})

test('guarded values are removed from a snapshot, with the size of the rest and all other text unchanged', (t) => {
  const data = '{"10":1.0,"2":12345678901234567890,"card":{"pin":"canary","name":"data"},"size":7}'
  const snapshot = serializeItem(plainItem({ data, description: '"data":{"pin":1}', tags: ['a'] }), {
    includeData: true,
  })
  const left = '{"10":1.0,"2":12345678901234567890,"card":{"name":"data"},"size":7}'
  t.is(
    redactSnapshot(snapshot, ['/card/pin']),
    snapshot.replace(data, left).replace(`"size":${data.length},`, `"size":${left.length},`),
  )
})

test('a guard of the whole data leaves null, and without guards nothing changes', (t) => {
  const snapshot = serializeItem(plainItem({ data: '"canary é"' }), { includeData: true })
  t.like(JSON.parse(redactSnapshot(snapshot, [''])), { data: null, size: 4 })
  t.is(redactSnapshot(snapshot, []), snapshot)
  t.like(JSON.parse(redactSnapshot(snapshot, ['/not-there'])), { data: 'canary é', size: 11 })
})

test('attachments without items keep the reason, and no value', (t) => {
  const attachments = { reason: 'duplicate-alias', duplicates: [{ value: 'x', itemIds: ['y'] }], items: 3 }
  t.is(withoutItems(JSON.stringify(attachments)), '{"reason":"duplicate-alias","items":3}')
  t.is(withoutItems(null), null)
})
