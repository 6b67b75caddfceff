import test from 'ava'
import {
  type ItemOutboxEvent,
  isFilteredBy,
  isFor,
  type WebhookListener,
  withheld,
} from '#shared/domain/webhook/fan-out.ts'
import {
  changedData,
  countFilters,
  dataFilters,
  filterError,
  passesWhere,
  type SavedConditions,
  type SavedFilter,
  shownWhere,
} from '#shared/domain/webhook/where.ts'

const title: SavedFilter = { index: 'title', pointer: '/title', valueType: 'string', alias: false, source: 'eq:soup' }
const minutes: SavedFilter = { index: 'minutes', pointer: '/a/b', valueType: 'number', alias: false, source: 'lt:30' }

function sent(filters: SavedConditions, ...data: unknown[]): boolean {
  const filter = dataFilters({ list: filters }).get('list')
  if (!filter) throw new Error('the list has filters')
  return passesWhere(filter, { data })
}

test('a change passes whose data pass all filters on its list, and one without the value passes none', (t) => {
  t.true(sent([title, minutes], { title: 'SOUP', a: { b: 20 } }))
  t.false(sent([title, minutes], { title: 'Soup', a: { b: 30 } }))
  t.false(sent([title], { name: 'soup' }))
  t.false(sent([minutes], { a: { b: '20' } }), 'a value of another type is none')
})

test('an update passes when the item does before or after it', (t) => {
  t.true(sent([title], { title: 'pie' }, { title: 'soup' }), 'it has left')
  t.true(sent([title], { title: 'soup' }, { title: 'pie' }), 'it has come')
  t.false(sent([title, minutes], { title: 'soup', a: { b: 50 } }, { title: 'pie', a: { b: 5 } }), 'neither passes all')
})

test('an alias is compared as its text, like on a page of items', (t) => {
  const alias: SavedFilter = { ...title, alias: true, source: 'eq:5' }
  t.deepEqual([sent([alias], { title: 5 }), sent([{ ...alias, alias: false }], { title: 5 })], [true, false])
})

test('the data of a change are those before and after it, and a payload that leaves some out passes', (t) => {
  const payload = (data: object) => JSON.stringify({ id: 'e', type: 'item.updated', data })
  t.deepEqual(changedData(payload({ item: { data: { n: 1 } } })), { data: [{ n: 1 }] })
  t.deepEqual(changedData(payload({ item: { data: 1 }, previous: { data: 2 } })), { data: [1, 2] })
  const left = { data: null, dataOmitted: true }
  t.is(changedData(payload({ item: { data: 1 }, previous: left })), null)
  t.is(changedData(payload({ item: left })), null)
  const filter = dataFilters({ list: [title] }).get('list')
  t.true(filter && passesWhere(filter, null))
})

test('an event is kept from the webhooks whose filters it does not pass, and compared for no others', (t) => {
  const event = {
    eventId: 'e',
    accountId: 'a',
    listenerEpoch: 5,
    type: 'item.created',
    listId: 'list',
  } as ItemOutboxEvent
  const base: WebhookListener = {
    webhookId: 'all',
    accountId: 'a',
    activeEpoch: 1,
    events: ['item.created'],
    listIds: [],
  }
  const soups = { ...base, webhookId: 'soups', filters: dataFilters({ list: [title] }) }
  const pies = { ...base, webhookId: 'pies', filters: dataFilters({ list: [{ ...title, source: 'eq:pie' }] }) }
  const others = { ...base, webhookId: 'others', filters: dataFilters({ other: [title] }) }
  const deaf: WebhookListener = { ...soups, webhookId: 'deaf', events: ['item.deleted'] }
  const all = [base, soups, pies, others, deaf]
  const filtering = all.filter((listener) => isFilteredBy(listener, event))
  t.deepEqual(
    filtering.map(({ webhookId }) => webhookId),
    ['soups', 'pies'],
  )
  const known = withheld(event, filtering, '{"data":{"item":{"data":{"title":"soup"}}}}')
  t.deepEqual(
    all.filter((listener) => isFor(listener, known)).map(({ webhookId }) => webhookId),
    ['all', 'soups', 'others'],
  )
})

test('filters are shown by path names, and those on a list that is gone by its id', (t) => {
  const shown = shownWhere({ l1: [title, minutes], l2: [title] }, new Map([['l1', 'recipes']]))
  t.deepEqual(shown, { recipes: { title: 'eq:soup', minutes: 'lt:30' }, l2: { title: 'eq:soup' } })
})

test('a filter has the grammar of its type', (t) => {
  t.is(filterError({ valueType: 'string' }, 'in:a,b'), null)
  t.regex(filterError({ valueType: 'number' }, 'soup') ?? '', /must be a number/)
  t.regex(filterError({ valueType: 'date' }, 'lt:5') ?? '', /must be a date/)
})

const soupOrQuick: SavedConditions = [{ or: [[title], [minutes, { ...minutes, source: 'gte:5' }]] }]
const neither: SavedConditions = [{ not: [{ or: [[title], [minutes]] }] }]

test('conditions go together by or, and and not, as on pages of items', (t) => {
  const cases: [conditions: SavedConditions, data: object, passes: boolean][] = [
    [soupOrQuick, { title: 'soup' }, true],
    [soupOrQuick, { title: 'pie', a: { b: 7 } }, true],
    [soupOrQuick, { title: 'pie', a: { b: 3 } }, false],
    [soupOrQuick, {}, false],
    [neither, { title: 'pie' }, true],
    [neither, { title: 'pie', a: { b: 7 } }, false],
    [[{ and: [[title], [minutes]] }], { title: 'soup', a: { b: 7 } }, true],
    [[{ and: [[title], [minutes]] }], { title: 'soup' }, false],
    [[title, { not: [minutes] }], { title: 'soup', a: { b: 40 } }, true],
    [[{ ...title, source: 'null' }], { title: 5 }, true],
    [[{ ...title, source: 'not:null' }], { title: ['x', 'y'] }, true],
  ]
  for (const [conditions, data, passes] of cases) {
    t.is(sent(conditions, data), passes, `${JSON.stringify(conditions)} ${JSON.stringify(data)}`)
  }
})

test('what a later version has saved keeps nothing back, wherever it stands', (t) => {
  const later = { ...minutes, source: 'around:5' }
  t.true(sent([{ not: [later] }], { title: 'pie' }))
  t.true(sent([{ or: [[title], [later]] }], { title: 'pie' }))
  t.false(sent([title, { and: [[later]] }], { title: 'pie' }), 'what can be read holds')
})

test('conditions are counted by their filters, and shown as they were sent', (t) => {
  t.deepEqual([soupOrQuick, neither, [title, { and: [[title], [minutes]] }]].map(countFilters), [3, 2, 3])
  const shown = shownWhere({ l: [...soupOrQuick, ...neither, { ...title, index: 'or' }] }, new Map())
  t.deepEqual(shown, {
    l: {
      'index.or': 'eq:soup',
      or: [{ title: 'eq:soup' }, { minutes: ['lt:30', 'gte:5'] }],
      not: { or: [{ title: 'eq:soup' }, { minutes: 'lt:30' }] },
    },
  })
})
