import test from 'ava'
import { isPing, pingPayload, pingTimeoutMs } from '#shared/domain/webhook/deliveries/ping.ts'

test('the payload of a ping names the webhook and who requested it', (t) => {
  const body = pingPayload({
    id: 'event',
    createdAt: 1_700_000_000_001,
    webhook: { id: 'webhook', description: 'Ünïcode "quoted"' },
    actor: { authMode: 'user', tokenId: null, identityId: null },
  })
  t.is(
    body,
    '{"id":"event","type":"ping","createdAt":"2023-11-14T22:13:20.001Z","data":{"webhook":{"id":"webhook",' +
      '"description":"Ünïcode \\"quoted\\""},"actor":{"authMode":"user","tokenId":null,"identityId":null}}}',
  )
})

test('a ping contains nothing else of the webhook', (t) => {
  const webhook = { id: 'webhook', description: '', url: 'https://canary.example', secret: 'canary' }
  const actor = { authMode: 'user', tokenId: null, identityId: null } as const
  t.false(pingPayload({ id: 'e', createdAt: 0, webhook, actor }).includes('canary'))
})

test('a ping waits for its turn for twice the time-out plus 5 seconds', (t) => t.is(pingTimeoutMs(10_000), 25_000))

test('only the type ping is a ping', (t) => {
  t.true(isPing({ event: 'ping' }))
  t.false(isPing({ event: 'item.created' }))
})
