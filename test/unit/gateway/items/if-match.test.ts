import test from 'ava'
import { etagOf, matchesRevision, parseIfMatch } from '#services/gateway/resources/items/if-match.ts'
import type { AppError } from '#shared/errors.ts'

const cases: [ifMatch: string | undefined, matches: boolean][] = [
  [undefined, true],
  ['*', true],
  [' * ', true],
  ['"3"', true],
  ['"1", "3"', true],
  ['"1","2"', false],
  ['"33"', false],
  ['W/"3"', false], // weak tags never match for a write
]

for (const [ifMatch, matches] of cases) {
  test(`if-match ${JSON.stringify(ifMatch)} ${matches ? 'matches' : 'does not match'} revision 3`, (t) => {
    t.is(matchesRevision(parseIfMatch(ifMatch), 3), matches)
  })
}

for (const ifMatch of ['3', '', '"3', '"3",', '"3" "4"', '*, "3"', 'w/"3"']) {
  test(`if-match ${JSON.stringify(ifMatch)} is refused, because it could match nothing`, (t) => {
    const error = t.throws<AppError>(() => parseIfMatch(ifMatch))
    t.like(error?.details, { errors: [{ path: 'if-match' }] })
  })
}

test('the etag of a revision matches it', (t) => {
  t.true(matchesRevision(etagOf(12), 12))
})
