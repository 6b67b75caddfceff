import test from 'ava'
import type { Webhook } from '#client/src/types/user-resources.ts'
import {
  changesOf,
  draftOf,
  draftProblems,
  fieldsOf,
  newWebhook,
} from '#services/dashboard/pages/webhooks/form/webhook-draft.ts'

const webhook = {
  url: 'https://kitchen.example/hooks',
  description: 'kitchen',
  events: ['item.created', 'item.deleted'],
  listIds: ['a', 'b'],
  maxRequestsPerSecond: null,
  headerNames: ['authorization'],
  where: { recipes: { minutes: 'lt:30', title: 'starts:soup' } },
} satisfies Partial<Webhook> as unknown as Webhook

test('an untouched draft of a webhook changes nothing', (t) => {
  t.deepEqual(changesOf(webhook, draftOf(webhook)), {})
  const inOtherOrder = { ...draftOf(webhook), events: ['item.deleted', 'item.created'] as const, listIds: ['b', 'a'] }
  t.deepEqual(changesOf(webhook, inOtherOrder), {})
})

test('only changed fields are sent, and all lists are an empty list of ids', (t) => {
  const draft = { ...draftOf(webhook), description: ' bar ', listIds: null, maxRequestsPerSecond: '20' }
  t.deepEqual(changesOf(webhook, draft), { description: 'bar', listIds: [], maxRequestsPerSecond: 20 })
})

test('a new webhook gets all events of all lists, without a limit', (t) => {
  t.deepEqual(fieldsOf({ ...newWebhook, url: ' https://a.example/ ' }), {
    url: 'https://a.example/',
    description: '',
    events: ['item.created', 'item.updated', 'item.restored', 'item.deleted'],
    listIds: [],
    maxRequestsPerSecond: null,
    where: {},
  })
})

test('no selected list does not mean all lists, and a limit is a whole number', (t) => {
  const problems = draftProblems({ ...newWebhook, listIds: [], maxRequestsPerSecond: '1.5' })
  t.deepEqual([...problems.keys()], ['url', 'listIds', 'maxRequestsPerSecond'])
  t.is(draftProblems({ ...newWebhook, url: 'https://a.example/', maxRequestsPerSecond: '' }).size, 0)
})

test('headers stay unchanged until a user replaces them, and then all are replaced', (t) => {
  const draft = draftOf(webhook)
  t.false('headers' in fieldsOf(draft))
  t.deepEqual(changesOf(webhook, { ...draft, headers: 'X-Team: soup: hot \n\n  a:1' }), {
    headers: { 'X-Team': 'soup: hot', a: '1' },
  })
  t.deepEqual(changesOf(webhook, { ...draft, headers: '' }), { headers: {} })
})

test('a line that is not a header is rejected by its number, and so is a repeated name', (t) => {
  const problemOf = (headers: string) => draftProblems({ ...draftOf(webhook), headers }).get('headers')
  t.is(problemOf('a: 1\nno header'), 'Line 2 is not "name: value".')
  t.is(problemOf('a: 1\nA: 2'), 'Line 2 names A again.')
  t.is(problemOf('__proto__: 1'), undefined)
})

test('filters on index values are lines, and are read back unchanged', (t) => {
  const draft = draftOf(webhook)
  t.is(draft.where, 'recipes/minutes = lt:30\nrecipes/title = starts:soup')
  t.deepEqual(changesOf(webhook, { ...draft, where: ' recipes / minutes=in:1,2 \n\nnotes/kind = a = b' }), {
    where: { recipes: { minutes: 'in:1,2' }, notes: { kind: 'a = b' } },
  })
  t.deepEqual(changesOf(webhook, { ...draft, where: '' }), { where: {} })
  const where = { recipes: { minutes: 'lt:30', or: [{ title: 'soup' }, { title: null }] }, notes: { 'index.or': 'x' } }
  const combined = draftOf({ ...webhook, where })
  t.is(combined.where, 'recipes = {"minutes":"lt:30","or":[{"title":"soup"},{"title":null}]}\nnotes = {"index.or":"x"}')
  t.deepEqual(changesOf(webhook, combined), { where })
})

test('a number in a filter keeps its digits, and is not a change', (t) => {
  const line = 'recipes = {"or":[{"id":90072192547411331}]}'
  const read = fieldsOf({ ...draftOf(webhook), where: line }).where ?? {}
  const kept = { ...webhook, where: read }
  t.is(draftOf(kept).where, line)
  t.deepEqual(changesOf(kept, draftOf(kept)), {})
  t.deepEqual(Object.keys(changesOf(kept, { ...draftOf(kept), where: line.replace('331', '330') })), ['where'])
})

test('a line that is not a filter is rejected by its number, and so is a repeated index', (t) => {
  const problemOf = (where: string) => draftProblems({ ...draftOf(webhook), where }).get('where')
  t.is(problemOf('recipes/a = 1\nrecipes.b = 2'), 'Line 2 is not "list/index = filter".')
  t.is(problemOf('recipes/a = 1\nrecipes/a = 2'), 'Line 2 names recipes/a again.')
  t.is(problemOf('a = {"b": "1"}\na/b = 2'), 'The line "a = {…}" must contain all filters of its list.')
  t.is(problemOf('recipes = {"or": [}'), 'Line 1 is not "list/index = filter".')
})
