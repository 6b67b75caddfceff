import test from 'ava'
import { itemText, newItem } from '#shared/domain/item/new-item.ts'
import { nextItem } from '#shared/domain/item/next-item.ts'
import { AppError } from '#shared/errors.ts'

const list = { id: 'list', accountId: 'account' }
const before = newItem({ tags: ['a'], description: 'x' }, { id: 'i', list, ...itemText('1'), at: 7, identity: null })

test('the next state of an item has the next version and revision, and keeps fields that the change omits', (t) => {
  const next = nextItem(before, {}, { ...itemText('[2]'), at: 9 })
  t.deepEqual(next, { ...before, data: '[2]', size: 3, version: '1.0.1', revision: 2, updatedAt: 9 })
  t.like(nextItem(before, { tags: ['B'], readonly: true }, { ...itemText('1'), at: 9 }), {
    tags: ['b'],
    readonly: true,
    description: 'x',
  })
})

test('only a greater version may be set', (t) => {
  const to = (version: string) => nextItem(before, { version }, { ...itemText('1'), at: 9 }).version
  t.is(to('1.2.0'), '1.2.0')
  for (const version of ['1.0.0', '0.9.9']) t.throws(() => to(version), { instanceOf: AppError })
})
