import test from 'ava'
import { matchesText, readTextFilter } from '#shared/domain/text/filter.ts'

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
  ['EQ:pan', 'say eq:pan', true], // no prefix: a part like any other
  ['starts:a\nb', 'A\nBC', true],
  ['100%', '100% rye', true],
  ['100%', '1000 rye', false],
]

for (const [filter, value, matches] of cases) {
  test(`${JSON.stringify(filter)} ${matches ? 'finds' : 'does not find'} ${JSON.stringify(value)}`, (t) => {
    t.is(matchesText(readTextFilter(filter), value), matches)
  })
}
