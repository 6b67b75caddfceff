import test from 'ava'
import type { Index } from '#client/src/types/resources.ts'
import { conditionNames } from '#services/dashboard/pages/references/condition-names.ts'

const index = (pathName: string, more: Partial<Index> = {}): Index =>
  ({
    pathName,
    pointer: `/${pathName}`,
    valueType: 'string',
    filtering: true,
    activated: true,
    buildStatus: 'ready',
    ...more,
  }) as Index

test('items are found by their alias and by filters on texts, those on names first', (t) => {
  const indexes = [
    index('city'),
    index('price', { valueType: 'number' }),
    index('secret', { guard: true }),
    index('off', { activated: false }),
    index('new', { buildStatus: 'building' }),
    index('only-ordered', { filtering: false }),
    index('called', { pointer: '/title' }),
    index('slug', { alias: true, filtering: false }),
  ]
  t.deepEqual(conditionNames(indexes), ['alias', 'index.called', 'index.city'])
  t.is(conditionNames(Array.from({ length: 9 }, (_, n) => index(`i${n}`))).length, 4)
  t.deepEqual(conditionNames([]), [])
})
