import test from 'ava'
import type { Index } from '#client/src/types/resources.ts'
import { filterFields } from '#services/dashboard/pages/items/view/filters.ts'
import { pageCall, pageOptions } from '#services/dashboard/pages/items/view/items-request.ts'
import { wholeList } from '#services/dashboard/pages/items/view/view.ts'

const index = (pathName: string, valueType: Index['valueType']) =>
  ({ pathName, valueType, pointer: `/${pathName}`, filtering: true, activated: true, buildStatus: 'ready' }) as Index
const fields = filterFields([index('title', 'string'), index('serves', 'number'), index('readonly', 'string')])
const view = {
  ...wholeList,
  filters: [
    { field: 'index.serves', operator: 'gte', value: '2' },
    { field: 'index.serves', operator: 'lt', value: '5' },
    { field: 'index.title', operator: 'starts', value: "it's" },
    { field: 'index.readonly', operator: 'is', value: 'x' },
    { field: 'tagged', operator: 'in', value: 'a,b' },
  ],
  order: 'index.title',
  direction: 'desc' as const,
}

test('the conditions of a view are those of the request, with several on one field separately', (t) => {
  t.deepEqual(pageOptions(view, fields), {
    where: {
      'index.serves': [{ filter: 'gte:2' }, { filter: 'lt:5' }],
      'index.title': [{ filter: "starts:it's" }],
      'index.readonly': [{ filter: 'eq:x' }],
      tagged: [{ filter: 'a,b' }],
    },
    order: 'index.title',
    direction: 'desc',
    limit: 100,
    includeData: true,
  })
})

test('the value of where is sent as it was written', (t) => {
  const where = '{"or": [{"title": "soup"}, {"not": {"serves": [4, null]}}]}'
  const asked = { ...wholeList, filters: [{ field: 'where', operator: 'where', value: where }] }
  const { path, sdk } = pageCall('a', asked, fields)
  const sent = new URLSearchParams(path.split('?')[1]).get('where')
  t.is(sent, '{"and":[{"or":[{"index.title":"soup"},{"not":{"index.serves":["4","null"]}}]}]}')
  t.regex(sdk, /"where":\{"and":\[\{"or":\[\{"title":\{"filter":"soup"\}\}/)
})

test('a number in where keeps its digits', (t) => {
  const where = '{"or": [{"code": 90072192547411331}, {"code": ["gte:0.1000000000000000055", 1e400]}]}'
  const { path } = pageCall(
    'a',
    { ...wholeList, filters: [{ field: 'where', operator: 'where', value: where }] },
    fields,
  )
  const sent = new URLSearchParams(path.split('?')[1]).get('where')
  t.is(
    sent,
    '{"and":[{"or":[{"index.code":"90072192547411331"},{"index.code":["gte:0.1000000000000000055","1e400"]}]}]}',
  )
})

test('the request can be copied with its full query, and as a call of the client', (t) => {
  const { path, sdk } = pageCall('a b', view, fields)
  t.is(
    path,
    '/lists/a%20b/items?index.serves=gte%3A2&index.serves=lt%3A5&index.title=starts%3Ait%27s&index.readonly=eq%3Ax&tagged=a%2Cb&order=index.title&direction=desc&limit=100&includeData=true&after=',
  )
  t.is(
    sdk,
    `listd.list("a b").items({"where":{"serves":[{"filter":"gte:2"},{"filter":"lt:5"}],"title":{"filter":"starts:it's"},"index.readonly":{"filter":"eq:x"},"tagged":{"filter":"a,b"}},"order":"index.title","direction":"desc","limit":100,"includeData":true}).after()`,
  )
})

test('the request for a search has its words, alone or as one of the filters', (t) => {
  const search = { ...wholeList, search: 'tomato sou', prefix: true, match: 'all' as const }
  const { path, sdk } = pageCall('a', search, fields)
  t.is(path, '/lists/a/search?query=tomato+sou&prefix=true&match=all&includeItems=true')
  t.is(sdk, 'listd.list("a").search("tomato sou", {"prefix":true,"match":"all","includeItems":true})')
  const filters = [{ field: 'index.serves', operator: 'is', value: '4' }]
  t.regex(
    pageCall('a', { ...search, filters }, fields).path,
    /search=tomato\+sou&prefix=true&match=all&index\.serves=4/,
  )
})
