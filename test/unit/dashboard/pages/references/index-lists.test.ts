import test from 'ava'
import { indexLists, meantLists } from '#services/dashboard/pages/references/index-lists.ts'

const index = (pathName: string, pointer = `/${pathName}`, more = {}) => ({
  pathName,
  pointer,
  valueType: 'string' as const,
  alias: false,
  guard: false,
  ...more,
})

test('an index whose name ends with id refers to the list named like the rest of its name', (t) => {
  const meant = meantLists([
    index('host', '/hostId'),
    index('team_ids', '/about/team'),
    index('sub-category-id'),
    index('box', '/boxID'),
  ])
  t.deepEqual(Object.fromEntries(meant), {
    '/hostId': ['hosts', 'host'],
    '/about/team': ['teams', 'team'],
    '/sub-category-id': ['sub-categories', 'sub_categories', 'sub-category', 'sub_category'],
    '/boxID': ['boxes', 'box'],
  })
  t.deepEqual(
    [...indexLists(meant, ['Hosts', 'team', 'teams', 'sub_category'])],
    [
      ['/hostId', 'Hosts'],
      ['/about/team', 'teams'],
      ['/sub-category-id', 'sub_category'],
    ],
  )
})

test('other indexes refer to no list', (t) => {
  const others = [
    index('id'),
    index('paid'),
    index('host'),
    index('hostId', '/hostId', { alias: true }),
    index('hostId', '/hostId', { guard: true }),
    index('hostId', '/hostId', { valueType: 'number' }),
  ]
  t.is(meantLists(others).size, 0)
  t.true(meantLists(Array.from({ length: 200 }, (_, n) => index(`a${n}-id`))).size <= 50)
})
