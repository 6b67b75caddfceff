import test from 'ava'
import { hasTrigram, matchesText, readTextFilter } from '#shared/domain/text/filter.ts'

const cases: [filter: string, value: string, matches: boolean][] = [
  ['pan', 'Spanish', true],
  ['PAN', 'pancakes', true],
  ['pan', 'soup', false],
  ['', 'anything', true],
  ['straße', 'STRASSE 1', true],
  ['e\u0301', 'CAFÉ', true],
  ['eq:pancakes', 'Pancakes', true],
  ['eq:pan', 'pancakes', false],
  ['eq:', '', true],
  ['starts:pan', 'Pancakes', true],
  ['starts:pan', 'a pancake', false],
  ['in:soup,Pancakes', 'pancakes', true],
  ['in:soup,pan', 'pancakes', false],
  ['EQ:pan', 'say eq:pan', true], // not a prefix, because it is in capitals: an ordinary part
  ['starts:a\nb', 'A\nBC', true],
  ['100%', '100% rye', true],
  ['100%', '1000 rye', false],
]

for (const [filter, value, matches] of cases) {
  test(`${JSON.stringify(filter)} ${matches ? 'finds' : 'does not find'} ${JSON.stringify(value)}`, (t) => {
    t.is(matchesText(readTextFilter(filter), value), matches)
  })
}

test('three consecutive letters or digits are a trigram, only of ASCII if an index has no others', (t) => {
  const known = (source: string) => [false, true].map((anyScript) => hasTrigram(readTextFilter(source), { anyScript }))
  for (const text of ['abc', 'a7c', '-- 123 --', 'ABC', '%_abc\\']) t.deepEqual(known(text), [true, true], text)
  for (const text of ['', 'ab', 'ab-cd', '%%%', '___', '   ', '\ud800\ud800\ud800', '\u0000\u0000\u0000', '🍎🍎🍎'])
    t.deepEqual(known(text), [false, false], text)
  for (const text of ['привет', 'éèê', '日本語']) t.deepEqual(known(text), [false, true], text)
  for (const text of ['eq:abc', 'starts:abc', 'in:abc,def']) t.deepEqual(known(text), [false, false], text)
})
