import test from 'ava'
import { changedFields, laterEdits } from '#services/dashboard/forms/changed-fields.ts'

type Draft = { name: string; ips: string[] | null; activated: boolean }
const stored: Draft = { name: 'a', ips: ['10.0.0.0/8'], activated: true }

test('only edits that differ from the stored value are sent', (t) => {
  t.deepEqual(changedFields(stored, { name: 'b', activated: true }), { name: 'b' })
  t.deepEqual(changedFields(stored, { ips: ['10.0.0.0/8'] }), {})
  t.deepEqual(changedFields(stored, { ips: null }), { ips: null })
  t.deepEqual(changedFields(stored, {}), {})
})

test('a change that others have stored is not an edit, and an equal edit is no longer one', (t) => {
  const edits: Partial<Draft> = { name: 'b' }
  t.deepEqual(changedFields({ ...stored, ips: null }, edits), { name: 'b' })
  t.deepEqual(changedFields({ ...stored, name: 'b' }, edits), {})
})

test('text that is typed while edits are saved stays an edit', (t) => {
  const sent: Partial<Draft> = { name: 'b', activated: false }
  t.deepEqual(laterEdits(sent, sent), {})
  t.deepEqual(laterEdits({ ...sent, name: 'bc' }, sent), { name: 'bc' })
  t.deepEqual(laterEdits({ ...sent, ips: null }, sent), { ips: null })
})
