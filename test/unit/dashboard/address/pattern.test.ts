import test from 'ava'
import { matchPath, stepsOf, withQuery } from '#services/dashboard/address/pattern.ts'

test('a pattern names segments of a path, which are decoded', (t) => {
  t.deepEqual(matchPath('/lists/:list/items/:item', '/lists/recipes/items/a%2Fb%20c'), {
    list: 'recipes',
    item: 'a/b c',
  })
  t.deepEqual(matchPath('/', '/'), {})
})

test('a path with more, fewer or other segments does not match', (t) => {
  for (const path of ['/', '/lists', '/lists/', '/lists/a/b', '/items/a'])
    t.is(matchPath('/lists/:list', path), null, path)
})

test('a path that cannot be decoded matches no page, and throws nothing', (t) => {
  t.is(stepsOf('/lists/%zz'), null)
  t.is(matchPath('/lists/:list', '/lists/%zz'), null)
})

test('a query keeps unnamed parameters, sets named ones, and removes those that are null', (t) => {
  const address = { path: '/lists', query: new URLSearchParams('name=a&page=2') }
  t.is(withQuery(address, { page: null, name: 'b c' }), '/lists?name=b+c')
  t.is(withQuery(address, { page: null, name: null }), '/lists')
  t.is(withQuery(address, {}), '/lists?name=a&page=2')
})
