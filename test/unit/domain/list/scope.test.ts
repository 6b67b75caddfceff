import test from 'ava'
import { ownTags, withScopeTag } from '#shared/domain/list/scope.ts'

test("a managed list has its scope's tag in lower case, once, in addition to its own", (t) => {
  t.deepEqual(withScopeTag(['a', 'b'], 'MyApp'), ['a', 'b', 'myapp'])
  t.deepEqual(withScopeTag(['myapp', 'b'], 'MyApp'), ['b', 'myapp'])
})

test('a list that no scope manages has its own tags only', (t) => {
  t.deepEqual(withScopeTag(['a'], null), ['a'])
  t.deepEqual(ownTags(['a'], null), ['a'])
})

test("the scope's tag is not one of the list's own", (t) => {
  t.deepEqual(ownTags(['a', 'myapp'], 'MyApp'), ['a'])
})
