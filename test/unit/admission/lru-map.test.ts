import test from 'ava'
import { createLruMap } from '#shared/admission/lru-map.ts'

test('beyond its bound, the least recently used entry is dropped', (t) => {
  const map = createLruMap<number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.get('a')
  map.set('c', 3)
  t.deepEqual([...map.keys()].sort(), ['a', 'c'])
  t.is(map.size, 2)
})
