import test from 'ava'
import { withFilters } from '#shared/data/migrations/031-flow-filters.ts'
import { readFlow } from '#shared/domain/flow/language/document.ts'

test('the upgrade writes the filters of a stored document as filters, and leaves everything else unchanged', (t) => {
  const page = (where: string) =>
    `{ "version": 1, "name": "a", "entry": {"type": "endpoint", "path": "a"},\n  "nodes": [{"id": "p", "type": "list-items", "list": "cards",\n "where": ${where}}] }`
  const before = `{ "state" : "'open'",\n "n":"5", "or": "[{a: 'gt:1'}]", "flag": "true", "done": {"filter": "'x'"}, "x": "input" }`
  const after = `{ "state" : {"filter":"'open'"},\n "n":"5", "or": {"filter":"[{a: 'gt:1'}]"}, "flag": "true", "done": {"filter": "'x'"}, "x": {"filter":"input"} }`
  t.is(withFilters(page(before)), page(after))
  t.truthy(readFlow(page(after)).flow)
  t.is(withFilters(page(after)), null)
  t.is(withFilters(page('{}')), null)
  for (const odd of ['1', '{"nodes": 1}', '{"nodes": [null, {"where": []}]}']) t.is(withFilters(odd), null)
})
