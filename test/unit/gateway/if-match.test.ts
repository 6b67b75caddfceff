import test from 'ava'
import { etagOf, matchesRevision } from '#services/gateway/resources/items/if-match.ts'

const cases: [ifMatch: string | undefined, matches: boolean][] = [
  [undefined, true],
  ['*', true],
  [' * ', true],
  ['"3"', true],
  ['"1", "3"', true],
  ['"1","2"', false],
  ['"33"', false],
  ['W/"3"', false], // weak tags never match for a write
  ['3', false],
  ['', false],
  ['"3', false],
]

for (const [ifMatch, matches] of cases) {
  test(`if-match ${JSON.stringify(ifMatch)} ${matches ? 'matches' : 'does not match'} revision 3`, (t) => {
    t.is(matchesRevision(ifMatch, 3), matches)
  })
}

test('the etag of a revision matches it', (t) => {
  t.true(matchesRevision(etagOf(12), 12))
})
