import test from 'ava'
import { editDistance, nearest } from '#shared/config/nearest.ts'

test('the distance counts inserted, deleted and replaced characters', (t) => {
  t.is(editDistance('', ''), 0)
  t.is(editDistance('abc', ''), 3)
  t.is(editDistance('', 'abc'), 3)
  t.is(editDistance('kitten', 'sitting'), 3)
  t.is(editDistance('port', 'prot'), 2)
})

test('the nearest candidate is the one with the fewest typing errors, whatever its case', (t) => {
  t.is(nearest('GATEWAY.PROT', ['gateway.host', 'gateway.port', 'nats.url']), 'gateway.port')
  t.is(nearest('x', []), undefined)
})
