import test from 'ava'
import type { IndexBody, ListIndex } from '#shared/domain/list/index-fields.ts'
import { assertFits, assertRoom, changedIndex, findIndex, newIndex } from '#shared/domain/list/index-settings.ts'
import type { AppError } from '#shared/errors.ts'

const own = { id: '00000000-0000-7000-8000-00000000000a', accountId: 'account', listId: 'list', at: 1_000 }
const created = (body: IndexBody, id = own.id) => newIndex(body, { ...own, id })

const pathNames: [body: IndexBody, pathName: string, name: string][] = [
  [{ pathName: 'Slug' }, 'slug', 'slug'],
  [{ name: 'Crème brûlée!' }, 'creme-brulee', 'Crème brûlée!'],
  [{ name: '料理' }, `index-${own.id}`, '料理'],
  [{ name: 'x', pathName: 'Y' }, 'y', 'x'],
]
for (const [body, pathName, name] of pathNames) {
  test(`an index created from ${JSON.stringify(body)} is called ${pathName}`, (t) => {
    t.like(created(body), { pathName, name, valuesId: own.id, createdAt: 1_000, updatedAt: 1_000 })
  })
}

test('a change is later than the previous one, keeps fields that it omits, and stores tags and path name folded', (t) => {
  const before = { ...created({ pathName: 'a', pointer: '/a', sorting: true }), updatedAt: 5_000 }
  const after = changedIndex(before, { pathName: 'B', tags: ['X', 'x'] }, 2_000)
  t.deepEqual(after, { ...before, pathName: 'b', tags: ['x'], updatedAt: 5_001 })
})

test('the tag of the scope stays, in addition to 20 own ones', (t) => {
  const before: ListIndex = { ...created({ pathName: 'a' }), scope: 'App', tags: ['app'] }
  const tags = Array.from({ length: 20 }, (_, n) => `t${n}`)
  t.deepEqual(changedIndex(before, { tags: [...tags, 'app'] }, 0).tags, [...tags, 'app'])
  const error = t.throws<AppError>(() => changedIndex(before, { tags: [...tags, 'more'] }, 0))
  t.is(error?.name, 'VALIDATION_FAILED')
})

test('an index fits next to others if its path name is free and it breaks none of their rules', (t) => {
  const others = [
    created({ pathName: 'a', pointer: '/a', alias: true }),
    created({ pathName: 'g', pointer: '/g', guard: true }),
  ]
  const outcome = (body: IndexBody) => {
    try {
      return assertFits(created(body), others) ?? 'fits'
    } catch (error) {
      return (error as AppError).name
    }
  }
  t.is(outcome({ pathName: 'b', pointer: '/b' }), 'fits')
  t.is(outcome({ pathName: 'A', pointer: '/b' }), 'INDEX_PATH_NAME_TAKEN')
  t.is(outcome({ pathName: 'b', pointer: '/b', alias: true }), 'INDEX_ALIAS_EXISTS')
  t.is(outcome({ pathName: 'b', pointer: '/g/x' }), 'VALIDATION_FAILED')
  t.is(outcome({ pathName: 'b', pointer: '/g/x', alias: true }), 'VALIDATION_FAILED')
})

test('an index is found by id or path name ignoring case; an id takes precedence over a path name that looks like one', (t) => {
  const first = created({ pathName: 'a' })
  const second = created({ pathName: first.id }, '00000000-0000-7000-8000-00000000000b')
  t.is(findIndex([second, first], first.id.toUpperCase()), first)
  t.is(findIndex([first, second], 'A'), first)
  t.is(findIndex([second], first.id), second)
  t.is(findIndex([first], 'b'), null)
})

test('a list has room for 50 indexes, or for fewer if the plan of its account says so', (t) => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => created({ pathName: `i${n}` }))
  t.notThrows(() => assertRoom(many(49), null))
  t.like(
    t.throws<AppError>(() => assertRoom(many(50), { maxIndexesPerList: null })),
    { name: 'MAX_INDEXES_EXCEEDED', details: { limit: 'maxIndexesPerList', max: 50 } },
  )
  t.notThrows(() => assertRoom(many(2), { maxIndexesPerList: 3 }))
  t.like(
    t.throws<AppError>(() => assertRoom(many(3), { maxIndexesPerList: 3 })),
    { name: 'MAX_INDEXES_EXCEEDED', details: { limit: 'maxIndexesPerList', max: 3 } },
  )
})
