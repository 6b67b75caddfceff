import test from 'ava'
import { asksFor, concerns, type Subscription, sentType } from '#shared/domain/realtime/subscription.ts'

const all: Subscription = { types: new Set(['item-updated']), listIds: null, itemIds: null }
const ofItem = { type: 'item-updated', listId: 'l1', modelId: 'i1' }
const ofList = { type: 'list-updated', listId: 'l1', modelId: 'l1' }

test('a subscription without lists and items includes all', (t) => {
  t.true(concerns(all, ofItem))
  t.true(concerns(all, ofList))
})

const ofIndex = { type: 'index-created', listId: 'l1', modelId: 'x1' }

test('a subscription to some lists and items includes those, and changes of the lists themselves and of their indexes', (t) => {
  const some = { ...all, listIds: new Set(['l1']), itemIds: new Set(['i1']) }
  t.true(concerns(some, ofItem))
  t.true(concerns(some, ofList))
  t.true(concerns(some, ofIndex))
  t.false(concerns(some, { ...ofItem, modelId: 'i2' }))
  t.false(concerns(some, { ...ofItem, listId: 'l2' }))
})

test('a type matches if the original or the sent type is requested', (t) => {
  t.true(asksFor(all, 'item-updated', 'item-deleted'))
  t.true(asksFor({ ...all, types: new Set(['item-deleted']) }, 'item-updated', 'item-deleted'))
  t.false(asksFor({ ...all, types: new Set(['item-created']) }, 'item-updated', 'item-deleted'))
})

test('an item that is no longer visible is sent as deleted; an item that was and is hidden is not sent', (t) => {
  t.is(sentType('item-updated', { before: true, after: true }), 'item-updated')
  t.is(sentType('item-updated', { before: false, after: true }), 'item-updated')
  t.is(sentType('item-updated', { before: true, after: false }), 'item-deleted')
  t.is(sentType('item-updated', { before: false, after: false }), null)
  t.is(sentType('item-created', { before: false, after: false }), null)
  t.is(sentType('item-deleted', { before: false, after: true }), 'item-deleted')
})
