import test from 'ava'
import { isPathName, pathNameFrom, pathNameKey } from '#shared/domain/path-name.ts'

test('a path name is 1 to 200 letters, digits, hyphens and underscores', (t) => {
  for (const good of ['a', '-', '_', '0', '__proto__', 'Recipes-2_x', 'x'.repeat(200)]) t.true(isPathName(good), good)
  for (const bad of ['', 'a b', 'a.b', 'a/b', 'é', 'a\n', 'x'.repeat(201)]) t.false(isPathName(bad), bad)
})

test('path names are compared ignoring case', (t) => {
  t.is(pathNameKey('Recipes'), pathNameKey('rECIPES'))
})

const derived: [name: string, pathName: string | null][] = [
  ['Recipes', 'recipes'],
  ['  My  Recipes! ', 'my-recipes'],
  ['Crème brûlée', 'creme-brulee'],
  ['a_b-c', 'a_b-c'],
  ['3.5 stars', '3-5-stars'],
  ['レシピ', null],
  ['!!!', null],
  ['', null],
  ['ﬁne', 'fine'],
]
for (const [name, pathName] of derived) {
  test(`a list named "${name}" gets the path name ${pathName}`, (t) => t.is(pathNameFrom(name), pathName))
}

test('a path name derived from a long name is within its length and has its form', (t) => {
  const long = pathNameFrom(`${'x'.repeat(199)} y`)
  t.is(long, 'x'.repeat(199))
  t.true(isPathName(pathNameFrom('word '.repeat(200)) ?? ''))
})
