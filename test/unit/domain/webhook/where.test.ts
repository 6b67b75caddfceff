import test from 'ava'
import {
  type ItemOutboxEvent,
  isFilteredBy,
  isFor,
  type WebhookListener,
  withheld,
} from '#shared/domain/webhook/fan-out.ts'
import {
  type ChangedItem,
  changedItems,
  countFilters,
  filterError,
  itemFilters,
  passesWhere,
  type SavedConditions,
  type SavedFilter,
  shownWhere,
} from '#shared/domain/webhook/where.ts'

const title: SavedFilter = { index: 'title', pointer: '/title', valueType: 'string', alias: false, source: 'eq:soup' }
const minutes: SavedFilter = { index: 'minutes', pointer: '/a/b', valueType: 'number', alias: false, source: 'lt:30' }

const plain = { tags: [] as string[], readonly: false, activated: true }

function isSent(filters: SavedConditions, ...items: ChangedItem[]): boolean {
  const filter = itemFilters({ list: filters }).get('list')
  if (!filter) throw new Error('the list has filters')
  return passesWhere(filter, items)
}

const sent = (filters: SavedConditions, ...data: unknown[]) =>
  isSent(filters, ...data.map((value) => ({ marks: plain, data: { value } })))

test('a change passes if its data passes all filters on its list; without the value it passes none', (t) => {
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

test('an alias is compared as its text, as on a page of items', (t) => {
  const alias: SavedFilter = { ...title, alias: true, source: 'eq:5' }
  t.deepEqual([sent([alias], { title: 5 }), sent([{ ...alias, alias: false }], { title: 5 })], [true, false])
})

test('the data of a change are those before and after it, and a payload without them passes', (t) => {
  const payload = (data: object) => JSON.stringify({ id: 'e', type: 'item.updated', data })
  const one = { ...plain, id: 'i', data: 1 }
  t.deepEqual(changedItems(payload({ item: one })), [{ marks: plain, data: { value: 1 } }])
  const left = { ...plain, data: null, dataOmitted: true }
  const changed = changedItems(payload({ item: one, previous: left }))
  t.deepEqual(changed, [{ marks: plain, data: { value: 1 } }, { marks: plain }])
  t.true(isSent([title], ...changed))
  t.deepEqual(changedItems(payload({ item: { data: 1 } })), [{ marks: null, data: { value: 1 } }])
})

const activated: SavedConditions = [{ field: 'activated', source: 'true' }]
const item = (marks: Partial<typeof plain>, title?: string): ChangedItem => ({
  marks: { ...plain, ...marks },
  data: { value: { title } },
})
const draft = item({ activated: false })

test('conditions on activated, tagged and readonly are about the item before or after its change', (t) => {
  t.deepEqual([isSent(activated, item({})), isSent(activated, draft)], [true, false])
  t.true(isSent(activated, draft, item({})), 'who mirrors learns that it has left')
  t.true(isSent(activated, item({}), draft))
  t.false(isSent(activated, draft, draft))
  t.true(isSent([{ field: 'activated', source: 'not:true' }], draft))
  const tagged = (source: string, ...tags: string[]) => isSent([{ field: 'tagged', source }], item({ tags }))
  t.deepEqual([tagged('New,hot', 'new'), tagged('new', 'old'), tagged('not:new', 'old')], [true, false, true])
  t.deepEqual([tagged('null'), tagged('null', 'a'), tagged('not:null', 'a')], [true, false, true])
  const fixed: SavedConditions = [{ field: 'readonly', source: 'true' }]
  t.deepEqual([isSent(fixed, item({ readonly: true })), isSent(fixed, item({}))], [true, false])
  t.deepEqual(
    [isSent([title, ...activated], item({}, 'soup')), isSent([title, ...activated], item({}, 'pie'))],
    [true, false],
  )
  t.true(isSent([{ or: [[title], activated] }], item({}, 'pie')))
})

test('a draft whose data the payload omits is not sent, and other unknown values do not block an event', (t) => {
  const large = (activated: boolean): ChangedItem => ({ marks: { ...plain, activated } })
  t.deepEqual([isSent([title, ...activated], large(false)), isSent([title, ...activated], large(true))], [false, true])
  t.deepEqual([isSent([{ not: activated }], large(true)), isSent([{ not: [title] }], large(true))], [false, true])
  t.deepEqual(
    [isSent([{ or: [activated, [title]] }], large(false)), isSent([{ or: [activated] }], large(false))],
    [true, false],
  )
  t.true(isSent(activated, { marks: null }))
})

test('an event is not sent to webhooks whose filters it does not pass, and is compared only for webhooks with filters', (t) => {
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
  const soups = { ...base, webhookId: 'soups', filters: itemFilters({ list: [title] }) }
  const pies = { ...base, webhookId: 'pies', filters: itemFilters({ list: [{ ...title, source: 'eq:pie' }] }) }
  const others = { ...base, webhookId: 'others', filters: itemFilters({ other: [title] }) }
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

test('filters are shown with path names, and those on a deleted list with its id', (t) => {
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

test('conditions are combined by or, and and not, as on pages of items', (t) => {
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

test('a filter that a later version saved blocks nothing, at any position', (t) => {
  const later = { ...minutes, source: 'around:5' }
  t.true(sent([{ not: [later] }], { title: 'pie' }))
  t.true(sent([{ or: [[title], [later]] }], { title: 'pie' }))
  t.false(sent([title, { and: [[later]] }], { title: 'pie' }), 'what can be read holds')
})

test('conditions are counted by their filters, and shown as they were sent', (t) => {
  t.deepEqual([soupOrQuick, neither, [title, { and: [[title], [minutes]] }]].map(countFilters), [3, 2, 3])
  const named: SavedConditions = [
    { ...title, index: 'or' },
    { ...title, index: 'tagged' },
    { field: 'tagged', source: 'new' },
  ]
  const shown = shownWhere({ l: [...soupOrQuick, ...neither, ...named] }, new Map())
  t.deepEqual(shown, {
    l: {
      'index.or': 'eq:soup',
      'index.tagged': 'eq:soup',
      tagged: 'new',
      or: [{ title: 'eq:soup' }, { minutes: ['lt:30', 'gte:5'] }],
      not: { or: [{ title: 'eq:soup' }, { minutes: 'lt:30' }] },
    },
  })
})
