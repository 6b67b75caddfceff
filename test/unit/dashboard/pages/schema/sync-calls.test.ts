import test from 'ava'
import { exportCall, planCall } from '#services/dashboard/pages/schema/sync-calls.ts'

test('the call that plans a document sends its text unchanged, and with prune if requested', (t) => {
  t.deepEqual(planCall({ text: '{ "lists": {} }', prune: false }), {
    method: 'POST',
    path: '/sync-schema?dryRun=true',
    body: '{ "lists": {} }',
    sdk: 'listd.sync.plan(document)',
  })
  t.like(planCall({ text: '{}', prune: true }), {
    path: '/sync-schema?dryRun=true&prune=true',
    sdk: 'listd.sync.plan(document, { prune: true })',
  })
})

test('the call that exports has its filters, even an empty scope', (t) => {
  t.deepEqual(exportCall({ scope: null, tagged: '', lists: '' }), {
    method: 'GET',
    path: '/sync-schema',
    sdk: 'listd.sync.export()',
  })
  t.like(exportCall({ scope: '', tagged: 'a b', lists: '' }), {
    path: '/sync-schema?scope=&tagged=a+b',
    sdk: 'listd.sync.export({"scope":"","tagged":"a b"})',
  })
})
