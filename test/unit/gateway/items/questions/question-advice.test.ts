import test from 'ava'
import { unservedPart } from '#services/gateway/resources/items/questions/question-advice.ts'
import { type KeyFilter, readKeyFilter } from '#shared/domain/item/questions/key-filter.ts'
import type { ValueFilter } from '#shared/domain/item/questions/question.ts'
import type { ValueType } from '#shared/domain/list/index-fields.ts'
import { newIndex } from '#shared/domain/list/index-settings.ts'

const at = { accountId: 'account', listId: 'list', at: 0 }
const title = newIndex({ pathName: 'title', pointer: '/title', valueType: 'string' }, { ...at, id: 'title-values' })
const minutes = newIndex(
  { pathName: 'minutes', pointer: '/minutes', valueType: 'number', sorting: true },
  { ...at, id: 'minutes-values' },
)
const indexes = [title, minutes]

const filter = (index: typeof title, valueType: ValueType, source: string): ValueFilter => ({
  indexId: index.valuesId,
  ...(readKeyFilter(valueType, source) as KeyFilter),
})
const part = filter(title, 'string', 'soup')
const whole = filter(title, 'string', 'eq:soup')
const range = filter(minutes, 'number', 'lt:20')
const unserved = (order: string, values: readonly ValueFilter[], others: readonly string[] = []) =>
  unservedPart(indexes, { order, values, others })

test('a filter that no index serves is named: a part of a text first', (t) => {
  t.like(unserved('createdAt', [range, part]), { parameter: 'title' })
  t.regex(unserved('createdAt', [part]).advice, /eq:.*starts:/)
  t.like(unserved('createdAt', [{ indexId: 'gone', keys: null, texts: part.texts }]), { parameter: 'alias' })
})

test('a range is served in the order of its own index', (t) => {
  t.deepEqual(unserved('createdAt', [range]), {
    parameter: 'minutes',
    advice: 'Its index serves it with order=minutes.',
  })
  t.like(unserved(minutes.valuesId, [range, whole]), { parameter: 'order' })
})

test('one value, tag or owner is served in order of creation, several are not', (t) => {
  t.like(unserved('updatedAt', [], ['tagged']), { parameter: 'order' })
  t.like(unserved('createdAt', [whole], ['tagged']), { parameter: 'title' })
  t.like(unserved('createdAt', []), { parameter: 'page', advice: '' })
  t.like(unserved('size', [whole], ['search', 'tagged']), { parameter: 'search' })
})
