import test from 'ava'
import type { Webhook } from '#client/src/user-resources.ts'
import {
  changesOf,
  draftOf,
  draftProblems,
  fieldsOf,
  newWebhook,
} from '#services/dashboard/pages/webhooks/webhook-draft.ts'

const webhook = {
  url: 'https://kitchen.example/hooks',
  description: 'kitchen',
  events: ['item.created', 'item.deleted'],
  listIds: ['a', 'b'],
  maxRequestsPerSecond: null,
} satisfies Partial<Webhook> as unknown as Webhook

test('a draft of a webhook that nobody touched changes nothing', (t) => {
  t.deepEqual(changesOf(webhook, draftOf(webhook)), {})
  const inOtherOrder = { ...draftOf(webhook), events: ['item.deleted', 'item.created'] as const, listIds: ['b', 'a'] }
  t.deepEqual(changesOf(webhook, inOtherOrder), {})
})

test('only what was touched is sent, and all lists are an empty list of ids', (t) => {
  const draft = { ...draftOf(webhook), description: ' bar ', listIds: null, maxRequestsPerSecond: '20' }
  t.deepEqual(changesOf(webhook, draft), { description: 'bar', listIds: [], maxRequestsPerSecond: 20 })
})

test('a new webhook gets all events of all lists, without a bound', (t) => {
  t.deepEqual(fieldsOf({ ...newWebhook, url: ' https://a.example/ ' }), {
    url: 'https://a.example/',
    description: '',
    events: ['item.created', 'item.updated', 'item.restored', 'item.deleted'],
    listIds: [],
    maxRequestsPerSecond: null,
  })
})

test('no list at all is not taken for all lists, and a bound is a whole number', (t) => {
  const problems = draftProblems({ ...newWebhook, listIds: [], maxRequestsPerSecond: '1.5' })
  t.deepEqual([...problems.keys()], ['url', 'listIds', 'maxRequestsPerSecond'])
  t.is(draftProblems({ ...newWebhook, url: 'https://a.example/', maxRequestsPerSecond: '' }).size, 0)
})
