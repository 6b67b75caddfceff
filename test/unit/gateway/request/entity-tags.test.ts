import test from 'ava'
import {
  hasStrong,
  hasWeak,
  matchesRevision,
  matchFailed,
  parseEntityTags,
} from '#services/gateway/request/entity-tags.ts'

const tagsIn = (header: string) => parseEntityTags(header) ?? '*'

const revisions: [ifMatch: string, matches: boolean][] = [
  ['*', true],
  [' * ', true],
  ['"3"', true],
  ['"1", "3"', true],
  ['"1","2"', false],
  ['"33"', false],
  ['W/"3"', false], // weak tags never match for a write
  ['"3-x_Y-9"', true], // an etag from a read
  ['W/"3-x"', false],
  ['"33-x"', false],
  ['"x-3"', false],
  ['"1,3"', false],
  [',, "3" ,\t,', true],
]
for (const [ifMatch, matches] of revisions) {
  test(`if-match ${JSON.stringify(ifMatch)} ${matches ? 'matches' : 'does not match'} revision 3`, (t) => {
    t.is(matchesRevision(tagsIn(ifMatch), 3), matches)
  })
}

test('a failed if-match says so, and if all its tags are weak, that they never match', (t) => {
  const messageOf = (header: string) => matchFailed('ITEM_PRECONDITION_FAILED', tagsIn(header)).message
  t.regex(messageOf('W/"3", W/"4"'), /weak tag/)
  for (const header of ['"3"', 'W/"3", "4"', '*']) t.regex(messageOf(header), /revision/)
})

test('a list has its tags in order, and its empty elements are ignored', (t) => {
  t.deepEqual(parseEntityTags(', "a" ,, W/"b,c",\t""\t,'), [
    { tag: '"a"', isWeak: false },
    { tag: '"b,c"', isWeak: true },
    { tag: '""', isWeak: false },
  ])
})

for (const header of ['3', '', ' ', ',', ', ,', '"3', '3"', '"3" "4"', '*, "3"', '"3", *', 'w/"3"', 'W/3', 'W/ "3"']) {
  test(`${JSON.stringify(header)} is not a list of tags`, (t) => {
    t.is(parseEntityTags(header), null)
  })
}

test('a strong comparison matches no weak tag, a weak one matches both', (t) => {
  const isA = (tag: string) => tag === '"a"'
  const compared = (header: string) => [hasStrong(tagsIn(header), isA), hasWeak(tagsIn(header), '"a"')]
  t.deepEqual(compared('"a"'), [true, true])
  t.deepEqual(compared('W/"a"'), [false, true])
  t.deepEqual(compared('"b", W/"a"'), [false, true])
  t.deepEqual(compared('"b"'), [false, false])
  t.deepEqual(compared('*'), [true, true])
})
