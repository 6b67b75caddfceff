import test from 'ava'
import { isInSection, sections } from '#services/dashboard/app/sections.ts'

const sectionsOf = (path: string) => sections.filter((section) => isInSection(path, section)).map(({ label }) => label)

test('a page belongs to one section, even if its path begins with another word', (t) => {
  t.deepEqual(sectionsOf('/lists/recipes/items/1'), ['Lists'])
  t.deepEqual(sectionsOf('/new-list'), ['Lists'])
  t.deepEqual(sectionsOf('/identity-groups/editors'), ['Identities'])
  t.deepEqual(sectionsOf('/deliveries'), ['Webhooks'])
  t.deepEqual(sectionsOf('/runs/1'), ['Flows'])
})

test('home is not a section of the other pages', (t) => {
  t.deepEqual(sectionsOf('/'), ['Home'])
  t.deepEqual(sectionsOf('/listsandmore'), [])
})
