import test from 'ava'
import type { Index } from '#client/src/types/resources.ts'
import { filterFields } from '#services/dashboard/pages/items/view/filters.ts'
import { itemOrders } from '#services/dashboard/pages/items/view/item-orders.ts'
import { type ItemsView, isBest, readView, viewQuery, wholeList } from '#services/dashboard/pages/items/view/view.ts'

const index = (fields: Partial<Index>) =>
  ({
    pathName: 'title',
    pointer: '/title',
    valueType: 'string',
    alias: false,
    sorting: true,
    filtering: true,
    guard: false,
    activated: true,
    buildStatus: 'ready',
    defaultOrderDirection: 'asc',
    ...fields,
  }) as Index

const indexes = [
  index({ pathName: 'slug', pointer: '/slug', alias: true }),
  index({}),
  index({ pathName: 'serves', pointer: '/serves', valueType: 'number' }),
  index({ pathName: 'day', pointer: '/day', valueType: 'date' }),
  index({ pathName: 'limit', pointer: '/limit', valueType: 'number' }),
  index({ pathName: 'size', pointer: '/size', valueType: 'number' }),
  index({ pathName: 'column', pointer: '/column' }),
  index({ pathName: 'search', pointer: '/search' }),
  index({ pathName: '_hidden', pointer: '/_hidden' }),
  index({ pathName: 'unsorted', pointer: '/u', sorting: false, filtering: false }),
  index({ pathName: 'growing', pointer: '/g', buildStatus: 'building' }),
  index({ pathName: 'secret', pointer: '/secret', guard: true }),
]
const askable = { fields: filterFields(indexes), orders: itemOrders(indexes, 100) }
const read = (query: string) => readView(new URLSearchParams(query), askable)

const views: ItemsView[] = [
  wholeList,
  { ...wholeList, search: 'tomato soup', columns: ['/title'] },
  { ...wholeList, search: 'tomato sou', prefix: true, match: 'all' },
  { ...wholeList, filters: [{ field: 'index.title', operator: 'contains', value: 'a&b=c ü' }] },
  {
    ...wholeList,
    filters: [
      { field: 'index.title', operator: 'starts', value: 'eq:' },
      { field: 'index.serves', operator: 'gte', value: '2' },
      { field: 'index.serves', operator: 'lt', value: '5e1' },
      { field: 'index.day', operator: 'after', value: '2026-03-01' },
      { field: 'index.limit', operator: 'is', value: '3' },
      { field: 'index.column', operator: 'in', value: 'a,b' },
      { field: 'index.search', operator: 'is', value: 'x' },
      { field: 'index._hidden', operator: 'is', value: 'x' },
      { field: 'tagged', operator: 'in', value: 'a,b' },
      { field: 'tagged', operator: 'in', value: 'c' },
      { field: 'alias', operator: 'is', value: 'pancakes' },
      { field: 'readonly', operator: 'is', value: 'true' },
      { field: 'activated', operator: 'is', value: 'any' },
      { field: 'identityId', operator: 'is', value: '01890000-0000-7000-8000-000000000001' },
      { field: 'createdAt', operator: 'after', value: '2026-03-01' },
      { field: 'createdAt', operator: 'not-after', value: '2026-04-01' },
      { field: 'version', operator: 'starts', value: '1.' },
      { field: 'size', operator: 'lt', value: '1000' },
      { field: 'index.size', operator: 'empty', value: '' },
      { field: 'where', operator: 'where', value: '{"or": [{"title": "soup"}, {"serves": null}]}' },
    ],
    order: 'index.title',
    direction: 'desc',
    columns: ['/title', 'updatedAt', '/a~1b,c'],
    after: 'cursor',
  },
  { ...wholeList, order: 'index.size', direction: 'desc' },
  { ...wholeList, order: 'size' },
]

test('a view is written into an address and read back as the same view', (t) => {
  for (const view of views)
    t.deepEqual(read(viewQuery(view, askable)), { view, problems: [] }, viewQuery(view, askable))
})

test('an address is the query of the API: an index needs its prefix only if another parameter has its name', (t) => {
  const query = viewQuery(views[4] as ItemsView, askable)
  t.true(
    query.startsWith('title=starts%3Aeq%3A&serves=gte%3A2&serves=lt%3A5e1&day=after%3A2026-03-01&index.limit=3'),
    query,
  )
  t.true(query.includes('index.column=in%3Aa%2Cb&index.search=eq%3Ax&index._hidden=eq%3Ax'), query)
})

test('names of indexes ignore case, and a prefix that is not needed changes nothing', (t) => {
  const expected = [{ field: 'index.title', operator: 'contains', value: 'soup' }]
  for (const query of ['title=soup', 'TITLE=soup', 'index.title=soup', 'index.Title=soup'])
    t.deepEqual(read(query).view.filters, expected, query)
  t.deepEqual(read('order=Title').view.order, 'index.title')
})

test('parameters of an address that the page cannot show are reported, not ignored', (t) => {
  const problems = (query: string) => read(query).problems.map(({ parameter, message }) => `${parameter} ${message}`)
  t.deepEqual(problems('titel=soup'), ['titel is not a filter of this list.'])
  t.deepEqual(problems('secret=1'), ['secret is not a filter of this list.'])
  t.deepEqual(problems('title='), ['title needs a value.'])
  t.deepEqual(problems('serves=many'), ['serves must be a number, such as 4 or 2.5.'])
  t.deepEqual(problems('serves=less:4'), ['serves must be a number, such as 4 or 2.5.'])
  t.deepEqual(problems('day=2026-02-30'), ['day must be a date such as 2026-03-01, or with T10:00Z.'])
  t.deepEqual(problems('readonly=maybe'), ['readonly must be true or false.'])
  t.deepEqual(problems('identityId=me'), ['identityId must be the id of an identity.'])
  t.deepEqual(problems('tagged=a,,b'), ['tagged has an empty tag.'])
  t.deepEqual(problems('unsorted=a'), ['unsorted cannot be used: its index does not filter.'])
  t.deepEqual(problems('growing=a'), ['growing cannot be used: its index is being built.'])
  t.deepEqual(problems('order=nothing'), ['order cannot be "nothing": no index has this name.'])
  t.deepEqual(problems('order=unsorted'), ['order cannot be "unsorted": its index does not sort.'])
  t.deepEqual(problems('direction=up'), ['direction must be asc or desc.'])
  t.deepEqual(problems('order=size&order=title'), ['order may occur only once in the address.'])
  t.deepEqual(problems('readonly=true&readonly=false'), ['readonly may occur only once in the address.'])
  t.deepEqual(problems('createdAt=null'), ['createdAt must be a date such as 2026-03-01, or with T10:00Z.'])
  t.deepEqual(problems('search=soup&match=some'), ['match must be any or all.'])
  t.deepEqual(problems('search=soup&prefix=yes'), ['prefix must be true or false.'])
  t.deepEqual(problems('prefix=true'), ['prefix requires "search".'])
  t.deepEqual(problems('limit=5'), ['limit is not a filter of this list.'])
})

test('a search alone is ordered by relevance; with a filter or an order it is one of the filters', (t) => {
  for (const query of ['search=soup', 'search=soup&column=/title&_from=mail']) t.true(isBest(read(query).view), query)
  for (const query of ['', 'title=soup', 'search=soup&title=a', 'search=soup&order=title', 'search=soup&after=c'])
    t.false(isBest(read(query).view), query)
})

test('names that begin with an underscore are ignored, as the API ignores them', (t) => {
  t.deepEqual(read('_from=mail'), { view: wholeList, problems: [] })
})
