import test from 'ava'
import type { List } from '#client/src/types/resources.ts'
import { changesOf, draftOf, setHereOnly, whyNotDeleted } from '#services/dashboard/pages/list-settings/list-draft.ts'

const list: List = {
  id: '0190f5fe-7c00-7a00-8000-000000000001',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  name: 'Recipes',
  description: '',
  tags: ['soups', 'sweet', 'cookbook'],
  pathName: 'recipes',
  schema: null,
  scope: 'Cookbook',
  pinned: false,
  readonly: false,
  realtime: false,
  protected: false,
  indexable: true,
  generative: false,
  generativePrompt: null,
  activated: true,
  itemCount: 3,
}
const changed = (changes: object) => changesOf(list, { ...draftOf(list), ...changes })

test('a form that was not touched sends nothing', (t) => {
  t.deepEqual(changed({}), {})
})

test('only what was changed is sent', (t) => {
  t.deepEqual(changed({ name: 'Dishes', pinned: true, readonly: false }), { name: 'Dishes', pinned: true })
})

test('tags are those of the list without that of its scope, and compare as they are stored', (t) => {
  t.is(draftOf(list).tags, 'soups, sweet')
  t.deepEqual(changed({ tags: 'Sweet  soups,' }), {})
  t.deepEqual(changed({ tags: 'sweet, New' }), { tags: ['sweet', 'New'] })
  t.deepEqual(changed({ tags: ' ' }), { tags: [] })
})

test('an empty prompt is none', (t) => {
  t.deepEqual(changed({ generativePrompt: 'Write' }), { generativePrompt: 'Write' })
  const prompted = { ...list, generativePrompt: 'Write' }
  t.deepEqual(changesOf(prompted, { ...draftOf(prompted), generativePrompt: '' }), { generativePrompt: null })
})

test('no document sets how a person arranges a list', (t) => {
  t.deepEqual(setHereOnly, ['pathName', 'pinned', 'activated'])
})

test('a readonly list, and a protected one with items, cannot be deleted', (t) => {
  t.is(whyNotDeleted(list), null)
  t.regex(whyNotDeleted({ ...list, readonly: true }) ?? '', /readonly/)
  t.regex(whyNotDeleted({ ...list, protected: true }) ?? '', /protected/)
  t.is(whyNotDeleted({ ...list, protected: true, itemCount: 0 }), null)
})
