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

test('an untouched form sends nothing', (t) => {
  t.deepEqual(changed({}), {})
})

test('only changed fields are sent', (t) => {
  t.deepEqual(changed({ name: 'Dishes', pinned: true, readonly: false }), { name: 'Dishes', pinned: true })
})

test('the tags of the list are shown without that of its scope, and compared in their stored form', (t) => {
  t.is(draftOf(list).tags, 'soups, sweet')
  t.deepEqual(changed({ tags: 'Sweet  soups,' }), {})
  t.deepEqual(changed({ tags: 'sweet, New' }), { tags: ['sweet', 'New'] })
  t.deepEqual(changed({ tags: ' ' }), { tags: [] })
})

test('an empty prompt is no prompt', (t) => {
  t.deepEqual(changed({ generativePrompt: 'Write' }), { generativePrompt: 'Write' })
  const prompted = { ...list, generativePrompt: 'Write' }
  t.deepEqual(changesOf(prompted, { ...draftOf(prompted), generativePrompt: '' }), { generativePrompt: null })
})

test('some settings of a list are only set here, not by a document', (t) => {
  t.deepEqual(setHereOnly, ['pathName', 'pinned', 'activated'])
})

test('a readonly list, and a protected one with items, cannot be deleted', (t) => {
  t.is(whyNotDeleted(list), null)
  t.regex(whyNotDeleted({ ...list, readonly: true }) ?? '', /readonly/)
  t.regex(whyNotDeleted({ ...list, protected: true }) ?? '', /protected/)
  t.is(whyNotDeleted({ ...list, protected: true, itemCount: 0 }), null)
})
