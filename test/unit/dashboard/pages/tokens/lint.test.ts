import test from 'ava'
import { cellOf } from '#services/dashboard/pages/tokens/effect/effect.ts'
import { actionsFor, canMatch, findingsOf } from '#services/dashboard/pages/tokens/lint.ts'
import { templates } from '#services/dashboard/pages/tokens/templates.ts'
import { accessCalls } from '#shared/domain/access/calls.ts'
import { compilePermissions } from '#shared/domain/access/compiled-rules.ts'
import { allowEverything, type PermissionRule } from '#shared/domain/access/permission-rule.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import { pick, seeded } from '../../../../support/load/random-json.ts'

const [recipes, drafts] = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002']
const none = new Set<string>()
const reported = (rules: PermissionRule[], gone = none) =>
  findingsOf(rules, gone).map(({ rules, text }) => `${rules}: ${text}`)

test('templates are rules without findings', (t) => {
  for (const { rules } of templates) {
    t.deepEqual(reported(rules(undefined)), [])
    t.deepEqual(reported(rules([recipes])), [])
  }
})

test('allow-all that does not name reset-password and verify-email is reported', (t) => {
  const text = 'does not include reset-password and verify-email: these need their own rules.'
  t.deepEqual(reported([{ mode: 'allow', action: '*' }]), [`0: ${text}`])
  t.deepEqual(reported([{ mode: 'allow', action: '*', resourceType: 'item' }]), [])
  t.deepEqual(reported([...allowEverything]), [])
})

test('a rule that a later one covers can never decide', (t) => {
  const narrow: PermissionRule = { mode: 'block', action: 'view', resourceType: 'item', listIds: [drafts] }
  t.deepEqual(reported([narrow, { mode: 'allow', action: 'view' }]), [
    '0: can never decide: rule 2 follows it and matches everything it matches.',
  ])
  t.deepEqual(reported([{ mode: 'allow', action: 'view' }, narrow]), [])
  t.deepEqual(reported([narrow, { ...narrow, mode: 'allow', listIds: [recipes] }]), [])
})

test('a blocking * also decides on actions that an allowing * does not include', (t) => {
  const [block, allow]: PermissionRule[] = [
    { mode: 'block', action: '*', resourceType: 'identity' },
    { mode: 'allow', action: '*' },
  ]
  t.false(
    reported([block as PermissionRule, allow as PermissionRule]).some((text) => text.includes('can never decide')),
  )
})

test('a rule with a selector that its resource does not have can never match', (t) => {
  t.false(canMatch({ mode: 'allow', action: 'view', resourceType: 'list', itemIds: [recipes] }))
  t.false(canMatch({ mode: 'allow', action: 'register', resourceType: 'item' }))
  t.false(canMatch({ mode: 'allow', action: 'run', listIds: [recipes] }))
  t.true(canMatch({ mode: 'allow', action: 'run', flowIds: [recipes] }))
  t.true(canMatch({ mode: 'allow', action: 'view-with-identity', groups: ['members'] }))
  t.true(canMatch({ mode: 'allow', action: 'run-with-identity', resourceType: 'flow', groups: ['members'] }))
  t.false(canMatch({ mode: 'allow', action: '*', itemIds: ['*'], resourceType: 'list' }))
  t.true(canMatch({ mode: 'block', action: '*', itemIds: ['*'], resourceType: 'list' }))
})

test('deleted lists, owners without sign-in and restoring without viewing are reported', (t) => {
  const found = reported(
    [
      { mode: 'allow', action: 'delete', listIds: [drafts] },
      { mode: 'allow', action: 'view-with-identity' },
    ],
    new Set([drafts]),
  )
  t.deepEqual(found, [
    '0: names a list that no longer exists.',
    '1: needs an identity to act for, but no rule allows authenticating one.',
  ])
  t.deepEqual(reported([{ mode: 'allow', action: 'restore' }]), [
    '0: also needs view: without it, nothing is restored.',
  ])
  t.deepEqual(reported([]), [': Without rules, the token is not allowed to do anything.'])
})

test('removing a rule that is reported as never deciding or matching changes nothing', (t) => {
  const random = seeded(29)
  const types = ['list', 'item', 'index', 'identity', 'event', undefined] as const
  const ruleOf = (): PermissionRule => {
    const resourceType = pick(random, types)
    return {
      mode: pick(random, ['allow', 'block']),
      action: pick(random, ['*', ...actionsFor(resourceType)]),
      ...(resourceType && { resourceType }),
      ...(random() < 0.4 && { listIds: pick(random, [[recipes], [drafts], [recipes, drafts]]) }),
      ...(random() < 0.2 && { groups: ['members'] }),
    }
  }
  const list = (id: string) => ({ name: id, thing: { list: { id, activated: true, indexable: true } } })
  const lists = [list(recipes), list(drafts), list('other')]
  const groups = [null, 'members'].map((group) => ({ name: String(group), thing: { identity: { group } } }))
  const everyState = (rules: readonly PermissionRule[]) =>
    accessCalls.flatMap((call) =>
      (call.about === 'identities' ? groups : lists).flatMap((row) =>
        [null, { id: 'A', groupName: 'members' }].map(
          (acting) => cellOf(compilePermissions(rules), call, row, acting)?.verdict.answer,
        ),
      ),
    )
  let dead = 0
  for (let n = 0; n < 300; n++) {
    const rules = Array.from({ length: 2 + Math.floor(random() * 4) }, ruleOf)
    for (const {
      rules: [at],
      text,
    } of findingsOf(rules, none)) {
      if (at === undefined || !text.startsWith('can never')) continue
      dead += 1
      t.deepEqual(everyState(rules.toSpliced(at, 1)), everyState(rules), JSON.stringify({ rules, at }))
    }
  }
  t.true(dead > 50)
})

test('a rule with conditions does not cover an earlier one, unless that has the same conditions', (t) => {
  const listIds = ['01900000-0000-7000-8000-000000000001']
  const view: PermissionRule = { mode: 'allow', action: 'view', resourceType: 'item', listIds }
  const published: PermissionRule = { ...view, where: { status: 'eq:published' } }
  const never = (rules: PermissionRule[]) =>
    findingsOf(rules, new Set()).filter(({ text }) => text.startsWith('can never'))
  t.deepEqual(never([view, { ...published, mode: 'block' }]), [])
  t.deepEqual(never([published, view])[0]?.rules, [0])
  t.deepEqual(never([published, { ...published, mode: 'block' }])[0]?.rules, [0])
  t.deepEqual(never([{ ...published, where: { status: 'eq:draft' } }, published]), [])
})

test('conditions on fields that a list does not have, and on names that identities can change, are reported', (t) => {
  const [listId, gone] = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002']
  const rule: PermissionRule = { mode: 'allow', action: 'view', resourceType: 'item', listIds: [listId, gone] }
  const texts = (where: Record<string, unknown>, indexesOf?: (id: string) => ListIndex[] | undefined) =>
    findingsOf([{ ...rule, where }], new Set(), indexesOf).map(({ text }) => text)
  const none = (id: string) => (id === listId ? [] : undefined)
  t.deepEqual(texts({ status: 'eq:a' }), [])
  t.regex(texts({ status: 'eq:a' }, none).join(), /^allows nothing, .*: where\.status is not an index of the list/)
  t.deepEqual(texts({ tagged: 'a' }, none), [])
  t.deepEqual(texts({ tagged: 'eq:$identity.name' }), [
    'compares $identity.name, which identities can change themselves.',
  ])
})
