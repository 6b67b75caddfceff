import test from 'ava'
import type { Event } from '#client/src/types/resources.ts'
import { eventLine } from '#services/supervisor/remote/events/event-line.ts'

const createdAt = '2026-11-26T12:00:00.000Z'
const event: Event = {
  id: 'e1',
  createdAt,
  updatedAt: createdAt,
  stream: 'item',
  type: 'item-created',
  listId: null,
  modelId: 'i1',
  version: '1.0.0',
  actor: { authMode: 'token', tokenId: 't1', identityId: null },
}

test('an event is a line: the time, the type, the resource, and the actor', (t) => {
  t.is(eventLine(event), `${createdAt}  item-created      i1  1.0.0  by token t1`)
  const byIdentity = { authMode: 'token', tokenId: 't1', identityId: 'ada' } as const
  t.regex(eventLine({ ...event, actor: byIdentity }), / by token t1 as identity ada$/)
  t.regex(eventLine({ ...event, actor: { authMode: 'user', tokenId: null, identityId: null } }), / by a user$/)
  const user = { authMode: 'user', tokenId: null, identityId: null, userId: 'u-1', userName: 'Ada' } as const
  t.regex(eventLine({ ...event, actor: user }), / by Ada$/)
})

test('details of an event follow it, and none of their characters moves the cursor', (t) => {
  const disabled = { ...event, type: 'webhook-disabled', version: null, actor: null }
  t.regex(
    eventLine({ ...disabled, attachments: { reason: 'too\u009b many' } }),
    / webhook-disabled {2}i1 {2}by the service {2}\{"reason":"too\u{FFFD} many"\}$/u,
  )
})
