import test from 'ava'
import { createNearPath } from '#services/gateway/http/near-path.ts'

const near = createNearPath([
  '/lists',
  '/lists/{list}',
  '/lists/{list}/items',
  '/lists/{list}/items/{item}',
  '/auth/login',
])

const meant: Record<string, string | null> = {
  '/list': '/lists',
  '/Lists/Recipes': '/lists/Recipes',
  '/lists/': '/lists',
  '//lists//recipes/items/': '/lists/recipes/items',
  '/lists/recipes/itmes/soup': '/lists/recipes/items/soup',
  '/api/lists': '/lists',
  '/v1/list/recipes': '/lists/recipes',
  '/auth/logni': '/auth/login',
  '/auht/logni': null,
  '/': null,
  '/docs': null,
  '/nothing/here': null,
}
for (const [path, expected] of Object.entries(meant)) {
  test(`${path} means ${expected ?? 'no route'}`, (t) => t.is(near(path), expected))
}

test('a long path matches no route, and takes little time', (t) => {
  t.is(near(`/${'x'.repeat(16_000)}`), null)
  t.is(near('/lists'.repeat(2_000)), null)
})
