import { allow, block, draft, type Ids, mine, published, type Rule, type SampleName } from './samples.ts'

const edit = { where: { ...mine, ...draft }, becomes: { status: 'in:draft,submitted' } }

/** The change of an item: the set fields, or all data if it is not an object. */
export type Change = {
  data?: Record<string, unknown> | string
  tags?: string[]
  description?: string
  readonly?: boolean
}
/** A call that changes, deletes or creates an item. */
export type Write =
  | { call: 'update'; item: SampleName; change: (ids: Ids) => Change }
  | { call: 'delete'; item: SampleName }
  | { call: 'create'; data: (ids: Ids) => Record<string, unknown> }

const update = (item: SampleName, change: Change | ((ids: Ids) => Change)): Write => ({
  call: 'update',
  item,
  change: typeof change === 'function' ? change : () => change,
})
const set = (item: SampleName, data: Record<string, unknown>) => update(item, { data })
const remove = (item: SampleName): Write => ({ call: 'delete', item })
const create = (data: Record<string, unknown> | ((ids: Ids) => Record<string, unknown>)): Write => ({
  call: 'create',
  data: typeof data === 'function' ? data : () => data,
})
const toBob = update('plan', ({ bob }) => ({ data: { author: bob } }))

/** For each write whether a caller without an identity, Ada and Bob may make it; all of them see everything. */
export const writes: [claim: string, rules: Rule[], allowed: [write: Write, expected: string][]][] = [
  ['authors edit drafts until they are submitted', [allow('update', edit)], [
    [set('plan', { title: 'New' }), 'nyn'], [set('plan', { status: 'submitted' }), 'nyn'],
    [set('plan', { status: 'published' }), 'nnn'], [set('news', { title: 'New' }), 'nnn'],
    [set('note', { title: 'New' }), 'nny'], [toBob, 'nyn'], [set('bare', { status: 'draft' }), 'nnn'],
  ]],
  ['a condition has to hold both before and after', [allow('update', { where: mine })], [
    [set('plan', { title: 'New' }), 'nyn'], [toBob, 'nnn'], [set('news', { status: 'x' }), 'nyn'],
    [update('bare', ({ ada }) => ({ data: { author: ada } })), 'nnn'],
  ]],
  ['only the new state of an item counts', [allow('update', { becomes: draft })], [
    [set('news', { status: 'draft' }), 'yyy'], [set('news', { title: 'New' }), 'nnn'], [set('plan', { title: 'New' }), 'yyy'],
  ]],
  ['of drafts only titles and tags are changed', [allow('update', { where: draft, changes: ['/title', 'tags'] })], [
    [set('plan', { title: 'New' }), 'yyy'], [set('plan', { title: 'New', status: 'draft' }), 'yyy'],
    [update('plan', { tags: [] }), 'yyy'], [update('plan', { data: { title: 'New' }, tags: ['a'] }), 'yyy'],
    [update('plan', { description: 'New' }), 'nnn'], [set('plan', { rank: 6 }), 'nnn'], [set('plan', { rank: 5 }), 'yyy'],
    [set('plan', { title: 'New', rank: 6 }), 'nnn'], [set('news', { title: 'New' }), 'nnn'],
    [update('plan', { data: 'all of it' }), 'nnn'], [update('plan', { readonly: true }), 'nnn'],
  ]],
  ['all data is changed, but none of the other fields', [allow('update', { changes: [''] })], [
    [set('plan', { rank: 6 }), 'yyy'], [update('plan', { data: 'all of it' }), 'yyy'], [update('plan', { tags: [] }), 'nnn'],
  ]],
  ['everything but the status is changed', [allow('update'), block('update', { changes: ['/status'] })], [
    [set('news', { title: 'New' }), 'yyy'], [set('news', { status: 'x' }), 'nnn'], [set('bare', { status: 'x' }), 'nnn'],
    [set('bare', { title: 'New' }), 'yyy'], [update('news', { data: 'all of it' }), 'nnn'], [update('news', { tags: [] }), 'yyy'],
    [update('bare', { data: 'all of it' }), 'nnn'],
  ]],
  ['values inside members are not changed', [allow('update'), block('update', { changes: ['/members/0'] })], [
    [set('plan', { members: [] }), 'nnn'], [set('plan', { team: 'x' }), 'yyy'], [set('plan', { members: { a: 1 } }), 'nnn'],
  ]],
  ['published items keep their title', [allow('update'), block('update', { where: published, changes: ['/title'] })], [
    [set('news', { title: 'New' }), 'nnn'], [set('news', { team: 'x' }), 'yyy'], [set('plan', { title: 'New' }), 'yyy'],
    [set('plan', { title: 'New', status: 'published' }), 'nnn'], [set('plan', { status: 'published' }), 'yyy'],
    [set('news', { title: 'New', status: 'draft' }), 'nnn'],
  ]],
  ['nobody unpublishes', [allow('update'), block('update', { where: published, becomes: draft })], [
    [set('news', { team: 'x' }), 'nnn'], [set('plan', { status: 'published' }), 'yyy'], [set('plan', { team: 'x' }), 'nnn'],
  ]],
  ['owners edit drafts until they are submitted', [allow('update-with-identity', { where: draft, becomes: { status: 'in:draft,submitted' } })], [
    [set('plan', { status: 'submitted' }), 'nyn'], [set('note', { title: 'New' }), 'nny'], [set('plan', { status: 'published' }), 'nnn'],
    [set('bare', { status: 'draft' }), 'nnn'],
  ]],
  ['callers create drafts of which they are the authors', [allow('create', { where: { ...draft, ...mine } })], [
    [create(({ ada: author }) => ({ status: 'draft', author })), 'nyn'],
    [create(({ bob: author }) => ({ status: 'draft', author })), 'nny'],
    [create(({ ada: author }) => ({ status: 'published', author })), 'nnn'], [create({}), 'nnn'],
  ]],
  ['drafts are created by identities', [allow('create-with-identity', { where: draft })], [
    [create({ status: 'draft' }), 'nyy'], [create({ status: 'published' }), 'nnn'], [create({}), 'nnn'],
  ]],
  ['all but published items are created', [allow('create'), block('create', { where: published })], [
    [create({ status: 'draft' }), 'yyy'], [create({ status: 'published' }), 'nnn'], [create({}), 'yyy'],
  ]],
  ['drafts are deleted', [allow('delete', { where: draft })], [
    [remove('news'), 'nnn'], [remove('plan'), 'yyy'], [remove('note'), 'yyy'], [remove('bare'), 'nnn'],
  ]],
  ['an item is deleted only if it is certainly not by the caller', [allow('delete'), block('delete', { where: mine })], [
    [remove('news'), 'nny'], [remove('plan'), 'nny'], [remove('note'), 'nyn'], [remove('bare'), 'nyy'],
  ]],
  ['everything is done with drafts', [allow('*', { where: draft })], [
    [set('plan', { title: 'New' }), 'yyy'], [set('plan', { status: 'published' }), 'nnn'], [create({ status: 'draft' }), 'yyy'],
    [create({ status: 'published' }), 'nnn'], [remove('news'), 'nnn'], [remove('plan'), 'yyy'],
  ]],
] // biome-ignore format: a table

/** The data after a change. */
export function changed(data: Record<string, unknown>, change: Change['data']): unknown {
  return typeof change === 'object' ? { ...data, ...change } : (change ?? data)
}
