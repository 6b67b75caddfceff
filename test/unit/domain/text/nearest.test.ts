import test from 'ava'
import { editDistance, nearest } from '#shared/domain/text/nearest.ts'

test('the distance counts inserted, deleted, replaced and swapped characters', (t) => {
  t.is(editDistance('', ''), 0)
  t.is(editDistance('abc', ''), 3)
  t.is(editDistance('', 'abc'), 3)
  t.is(editDistance('kitten', 'sitting'), 3)
  t.is(editDistance('port', 'prot'), 1)
  t.is(editDistance('abcd', 'badc'), 2)
})

test('the nearest candidate is the one with the fewest typing errors, ignoring case', (t) => {
  t.is(nearest('GATEWAY.PROT', ['gateway.host', 'gateway.port', 'nats.url']), 'gateway.port')
  t.is(nearest('x', []), undefined)
  t.is(nearest('prot', ['portal', 'port'], 1), 'port')
  t.is(nearest('prod', ['portal', 'port'], 1), undefined)
})
