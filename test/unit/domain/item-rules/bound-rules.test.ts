import test from 'ava'
import { compilePermissions } from '#shared/domain/access/compiled-rules.ts'
import type { Action } from '#shared/domain/access/permission-rule.ts'
import { type Grant, isPermitted } from '#shared/domain/access/permissions.ts'
import { initialValues } from '#shared/domain/fields/values.ts'
import { itemFields } from '#shared/domain/item/fields.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { nextVersion } from '#shared/domain/item/version.ts'
import { holdsFor, type RuledList } from '#shared/domain/item-rules/bound-rules.ts'
import { changesBetween } from '#shared/domain/item-rules/item-changes.ts'
import { readRuleIndexes } from '#shared/domain/item-rules/rule-indexes.ts'
import { indexFields, type ListIndex } from '#shared/domain/list/index-fields.ts'
import { atOnce } from '#shared/time/time-slices.ts'
import {
  type Caller,
  callers,
  identities,
  indexes,
  rulesFor,
  type SampleName,
  sampleNames,
  samples,
  tokenTags,
} from '../../../support/rules/samples.ts'
import { views } from '../../../support/rules/view-table.ts'
import { changed, type Write, writes } from '../../../support/rules/write-table.ts'

const id = (n: number) => `01900000-0000-7000-8000-00000000000${n}`
const ids = { ada: id(1), bob: id(2) }
const list: RuledList = {
  id: id(3),
  indexes: indexes.map(
    (index, n) =>
      ({ ...initialValues(indexFields), id: id(n), valuesId: id(n), listId: id(3), ...index }) as unknown as ListIndex,
  ),
}
const given = samples(ids)
const idOf = (name: SampleName) => id(4 + sampleNames.indexOf(name))

const stateOf = (data: unknown, more: Partial<Item>): Item =>
  ({ ...initialValues(itemFields), listId: list.id, data: JSON.stringify(data), ...more }) as Item

const items = new Map(
  sampleNames.map((name): [SampleName, Item] => {
    const { data, tags, owner } = given[name]
    const identity = owner && { id: ids[owner], displayName: owner }
    return [name, stateOf(data, { id: idOf(name), tags, identity })]
  }),
)
const itemOf = (name: SampleName) => items.get(name) as Item

function grantFor(rules: (typeof views)[number][1], caller: Caller): Grant {
  const permissions = rulesFor(rules, list.id, idOf)
  const { indexes: saved } = readRuleIndexes(permissions, () => list.indexes, 'permissions')
  return {
    permissions: compilePermissions(permissions, saved),
    identity: caller === 'nobody' ? null : { id: ids[caller], ...identities[caller] },
    tokenId: id(9),
    tokenTags,
    askedAt: Date.parse('2026-11-28'),
  }
}

function request(action: Action, item: Item) {
  return { action, resourceType: 'item', listId: list.id, itemId: item.id, ownerId: item.identity?.id ?? null } as const
}

const letter = (allowed: boolean) => (allowed ? 'y' : 'n')

for (const [claim, rules, seen] of views) {
  test(`visible items: ${claim}`, (t) => {
    for (const name of sampleNames) {
      const item = itemOf(name)
      const may = callers.map((caller) => {
        const grant = grantFor(rules, caller)
        return letter(isPermitted(grant, { ...request('view', item), holds: holdsFor(grant, { list, item }) }))
      })
      t.is(may.join(''), seen[name], name)
    }
  })
}

function may(grant: Grant, write: Write): boolean {
  const ask = (item: Item, more: object) =>
    isPermitted(grant, { ...request(write.call, item), holds: holdsFor(grant, { list, item, ...more }) })
  if (write.call === 'create') return ask(stateOf(write.data(ids), {}), {})
  const before = itemOf(write.item)
  if (write.call === 'delete') return ask(before, {})
  const { data, ...fields } = write.change(ids)
  const version = nextVersion(before.version)
  const after = { ...before, version, ...fields, data: JSON.stringify(changed(JSON.parse(before.data), data)) }
  const asked = grant.permissions.rules.flatMap(({ conditions }) => conditions?.changes ?? [])
  const changes = atOnce(changesBetween(before, after, asked))
  return ask(before, { changes }) && ask(after, { changes, isAfter: true })
}

for (const [claim, rules, allowed] of writes) {
  test(`allowed writes: ${claim}`, (t) => {
    for (const [write, expected] of allowed) {
      const answers = callers.map((caller) => letter(may(grantFor(rules, caller), write)))
      t.is(answers.join(''), expected, JSON.stringify([write, 'change' in write && write.change(ids)]))
    }
  })
}

test('the table has at least 150 cases', (t) => {
  const cells = views.length * sampleNames.length + writes.reduce((sum, [, , rows]) => sum + rows.length, 0)
  t.true(cells * callers.length >= 150, `${cells * callers.length}`)
})
