import test from 'ava'
import { indexWarnings, listWarnings, pointerWarning } from '#shared/domain/list/warnings.ts'
import { parsePointer } from '#shared/json/pointer.ts'

const suspicious = [
  '/ingredients/*/name',
  '/*',
  '/a/**',
  '/a/-',
  '/a/-1',
  '/tags[0]',
  '/tags/[*]',
  '/tags/[0]',
  '/a[]/b',
  '/$/title',
  '/$.title',
  '/@.title',
  '/$[0]',
  '/#/title',
  '/../title',
  '/./title',
  '/',
  '/title/',
  '//title',
  '/ title',
  '/title /name',
]
for (const pointer of suspicious) {
  test(`the pointer ${JSON.stringify(pointer)} is valid but probably not intended`, (t) => {
    t.truthy(parsePointer(pointer))
    t.regex(pointerWarning(pointer) ?? '', /^In the pointer ".*" is the name of a property: .*\w\.$/)
  })
}

test('pointers that may find a value have no warning', (t) => {
  const ordinary = [
    '',
    '/title',
    '/author/name',
    '/tags/0',
    '/a~1b/~0',
    '/$ref',
    '/@id',
    '/#1',
    '/x-y',
    '/-x',
    '/a.b',
    '/4*',
    '/crème brûlée',
    '/[a',
    '/01',
    '/*a',
  ]
  for (const pointer of ordinary) t.is(pointerWarning(pointer), null, pointer)
})

test('the warning names the first such token', (t) => {
  t.is(
    pointerWarning('/ingredients/*/-'),
    'In the pointer "*" is the name of a property: a JSON Pointer has no wildcards.',
  )
})

test('flags without effect have a warning when they are turned on, but not when they are turned off', (t) => {
  t.deepEqual(listWarnings({ generative: true, generativePrompt: 'More!', realtime: true, readonly: true }), [
    'generative has no effect yet.',
    'generativePrompt has no effect yet.',
  ])
  t.deepEqual(listWarnings({ realtime: false, generative: false, generativePrompt: null }), [])
  t.deepEqual(indexWarnings({ pointer: '/a/', searching: true, sorting: true }), [
    'In the pointer "" is the name of a property: a slash precedes each token, and none follows the last, as in /author/name.',
  ])
  t.deepEqual(indexWarnings({ searching: false, name: 'x' }), [])
})

test('a schema with keywords of other drafts has a warning when it is set', (t) => {
  t.is(listWarnings({ schema: '{"$defs": {}}' as never }).length, 1)
  t.deepEqual(listWarnings({ schema: '{"x-list": "hosts"}' as never }), [])
  t.deepEqual(listWarnings({ schema: null }), [])
})
