import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import type { RuleConditions } from '#shared/domain/access/rule-conditions.ts'

// The effect of rules with conditions: for each set of rules the items or changes of them, and whether a caller without an identity,
// Ada and Bob may see or make them.

/** The callers: without an identity, or as one of two. */
export const callers = ['nobody', 'ada', 'bob'] as const
export type Caller = (typeof callers)[number]

/** The ids of identities, and texts built from them. */
export type Ids = { ada: string; bob: string }

export const identities = {
  ada: { name: 'Ada', groupName: 'Red', tags: ['staff', 'news'] },
  bob: { name: 'Bob', groupName: null, tags: [] as string[] },
}
export const tokenTags = ['draft', 't1']

export const indexes = [
  { pathName: 'status', pointer: '/status', filtering: true },
  { pathName: 'author', pointer: '/author', filtering: true },
  { pathName: 'members', pointer: '/members', filtering: true },
  { pathName: 'team', pointer: '/team', filtering: true },
  { pathName: 'due', pointer: '/due', valueType: 'date', filtering: true },
  { pathName: 'rank', pointer: '/rank', valueType: 'number', filtering: true },
] as const

export type Sample = { data: Record<string, unknown>; tags: string[]; owner: 'ada' | 'bob' | null }
export const sampleNames = ['news', 'plan', 'note', 'bare'] as const
export type SampleName = (typeof sampleNames)[number]

export function samples({ ada, bob }: Ids): Record<SampleName, Sample> {
  const [past, future] = ['2020-01-01', '2099-01-01']
  return {
    news: {
      data: { status: 'published', author: ada, members: [ada], team: 'Red', due: past, rank: 1 },
      tags: ['news'],
      owner: null,
    },
    plan: {
      data: { status: 'draft', author: ada, members: [ada, bob], team: 'red', due: future, rank: 5 },
      tags: ['staff'],
      owner: 'ada',
    },
    note: {
      data: { status: 'draft', author: bob, members: [bob], team: 'blue', due: null, rank: 9 },
      tags: [],
      owner: 'bob',
    },
    bare: { data: {}, tags: [], owner: null },
  }
}

/** Rules of a list, without their common parts. */
export type Rule = Pick<PermissionRule, 'mode' | 'action'> & RuleConditions & { items?: SampleName[] }

export const allow = (action: PermissionRule['action'], rest: Omit<Rule, 'mode' | 'action'> = {}): Rule => ({
  mode: 'allow',
  action,
  ...rest,
})
export const block = (action: PermissionRule['action'], rest: Omit<Rule, 'mode' | 'action'> = {}): Rule => ({
  ...allow(action, rest),
  mode: 'block',
})

export const published = { status: 'eq:published' }
export const draft = { status: 'eq:draft' }
export const mine = { author: 'eq:$identity.id' }

/** Rules in the form that is sent. */
export function rulesFor(rules: readonly Rule[], listId: string, idOf: (name: SampleName) => string): PermissionRule[] {
  return rules.map(({ items, ...rule }) => ({
    ...rule,
    resourceType: 'item',
    listIds: [listId],
    ...(items && { itemIds: items.map(idOf) }),
  }))
}
