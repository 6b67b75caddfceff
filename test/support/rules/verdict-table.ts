import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import type { RuleConditions } from '#shared/domain/access/rule-conditions.ts'

// What rules with conditions come to: for each set of rules the items or changes of them, and whether nobody, Ada and Bob may.

/** Who calls: without an identity, or as one of two. */
export const callers = ['nobody', 'ada', 'bob'] as const
export type Caller = (typeof callers)[number]

/** The ids of identities, and what is made of them. */
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

/** Rules of a list, without what all of them have. */
type Rule = Pick<PermissionRule, 'mode' | 'action'> & RuleConditions & { items?: SampleName[] }

const allow = (action: PermissionRule['action'], rest: Omit<Rule, 'mode' | 'action'> = {}): Rule => ({
  mode: 'allow',
  action,
  ...rest,
})
const block = (action: PermissionRule['action'], rest: Omit<Rule, 'mode' | 'action'> = {}): Rule => ({
  ...allow(action, rest),
  mode: 'block',
})

const published = { status: 'eq:published' }
const draft = { status: 'eq:draft' }
const mine = { author: 'eq:$identity.id' }
const edit = { where: { ...mine, ...draft }, becomes: { status: 'in:draft,submitted' } }

/** Of each item whether nobody, Ada and Bob see it: y or n. */
type View = [claim: string, rules: Rule[], seen: Record<SampleName, string>]

const table = (news: string, plan: string, note: string, bare: string) => ({ news, plan, note, bare })

export const views: View[] = [
  ['what is published', [allow('view', { where: published })], table('yyy', 'nnn', 'nnn', 'nnn')],
  [
    'what is not published',
    [allow('view', { where: { status: 'not:eq:published' } })],
    table('nnn', 'yyy', 'yyy', 'yyy'),
  ],
  [
    'what is published by now',
    [allow('view', { where: { ...published, due: 'before:$now' } })],
    table('yyy', 'nnn', 'nnn', 'nnn'),
  ],
  ['what is due later', [allow('view', { where: { due: 'after:$now' } })], table('nnn', 'yyy', 'nnn', 'nnn')],
  ['what is theirs', [allow('view', { where: mine })], table('nyn', 'nyn', 'nny', 'nnn')],
  [
    'what is not theirs',
    [allow('view', { where: { author: 'not:eq:$identity.id' } })],
    table('nny', 'nny', 'nyn', 'nyy'),
  ],
  ['what is not theirs, by not', [allow('view', { where: { not: mine } })], table('nny', 'nny', 'nyn', 'nyy')],
  [
    'what is theirs, by in:',
    [allow('view', { where: { author: 'in:$identity.id' } })],
    table('nyn', 'nyn', 'nny', 'nnn'),
  ],
  [
    'what they are members of',
    [allow('view', { where: { members: 'eq:$identity.id' } })],
    table('nyn', 'nyy', 'nny', 'nnn'),
  ],
  [
    'what is published or theirs',
    [allow('view', { where: { or: [published, mine] } })],
    table('yyy', 'nyn', 'nny', 'nnn'),
  ],
  [
    'what is published and theirs',
    [allow('view', { where: { and: [published, mine] } })],
    table('nyn', 'nnn', 'nnn', 'nnn'),
  ],
  [
    'what is of their group',
    [allow('view', { where: { team: 'eq:$identity.group' } })],
    table('nyn', 'nyn', 'nnn', 'nnn'),
  ],
  [
    'what is of another group',
    [allow('view', { where: { team: 'not:eq:$identity.group' } })],
    table('nnn', 'nnn', 'nyn', 'nyn'),
  ],
  [
    'what has a tag of theirs',
    [allow('view', { where: { tagged: 'in:$identity.tags' } })],
    table('nyn', 'nyn', 'nnn', 'nnn'),
  ],
  [
    'what has no tag of theirs',
    [allow('view', { where: { tagged: 'not:in:$identity.tags' } })],
    table('nny', 'nny', 'nyy', 'nyy'),
  ],
  [
    'what has a status that is a tag of the token',
    [allow('view', { where: { status: 'in:$token.tags' } })],
    table('nnn', 'yyy', 'yyy', 'nnn'),
  ],
  ['all but drafts', [allow('view'), block('view', { where: draft })], table('yyy', 'nnn', 'nnn', 'yyy')],
  [
    'all but what is not known to be theirs',
    [allow('view'), block('view', { where: { author: 'not:eq:$identity.id' } })],
    table('nyn', 'nyn', 'nny', 'nnn'),
  ],
  [
    'nothing but what is published',
    [block('view'), allow('view', { where: published })],
    table('yyy', 'nnn', 'nnn', 'nnn'),
  ],
  [
    'what is published without news',
    [allow('view', { where: published }), block('view', { where: { tagged: 'news' } })],
    table('nnn', 'nnn', 'nnn', 'nnn'),
  ],
  [
    'what is published, behind a block of news',
    [block('view', { where: { tagged: 'news' } }), allow('view', { where: published })],
    table('yyy', 'nnn', 'nnn', 'nnn'),
  ],
  ['drafts that they own', [allow('view-with-identity', { where: draft })], table('nnn', 'nyn', 'nny', 'nnn')],
  [
    'what is published, and what they own',
    [allow('view', { where: published }), allow('view-with-identity')],
    table('yyy', 'nyn', 'nny', 'nnn'),
  ],
  [
    'what they own, without drafts',
    [allow('view-with-identity'), block('view-with-identity', { where: draft })],
    table('nnn', 'nnn', 'nnn', 'nnn'),
  ],
  [
    'what is published, which a block for owners leaves alone',
    [allow('view', { where: published }), block('view-with-identity')],
    table('yyy', 'nnn', 'nnn', 'nnn'),
  ],
  [
    'what is theirs or of a rank',
    [allow('view', { where: { or: [mine, { rank: 'gte:5' }] } })],
    table('nyn', 'yyy', 'yyy', 'nnn'),
  ],
  [
    'what is theirs and of a rank',
    [allow('view', { where: { ...mine, rank: 'gte:5' } })],
    table('nnn', 'nyn', 'nny', 'nnn'),
  ],
  [
    'what is not both theirs and published',
    [allow('view', { where: { not: { and: [mine, published] } } })],
    table('nny', 'yyy', 'yyy', 'yyy'),
  ],
  [
    'what is neither theirs nor published',
    [allow('view', { where: { not: { or: [mine, published] } } })],
    table('nnn', 'nny', 'nyn', 'nyy'),
  ],
  ['what has no date', [allow('view', { where: { due: 'null' } })], table('nnn', 'nnn', 'yyy', 'yyy')],
  ['what can be changed', [allow('view', { where: { readonly: false } })], table('yyy', 'yyy', 'yyy', 'yyy')],
  [
    'drafts among named items',
    [allow('view', { items: ['news', 'note'], where: draft })],
    table('nnn', 'nnn', 'yyy', 'nnn'),
  ],
  [
    'all but named drafts',
    [allow('view'), block('view', { items: ['news', 'note'], where: draft })],
    table('yyy', 'yyy', 'nnn', 'yyy'),
  ],
  ['what is of ranks', [allow('view', { where: { rank: ['gte:1', 'lt:9'] } })], table('yyy', 'yyy', 'nnn', 'nnn')],
  [
    'what is literally of a value of the caller',
    [allow('view', { where: { author: 'eq:$$identity.id' } })],
    table('nnn', 'nnn', 'nnn', 'nnn'),
  ],
  ['drafts, by every action', [allow('*', { where: draft })], table('nnn', 'yyy', 'yyy', 'nnn')],
  [
    'drafts, then what is published of all but named ones',
    [allow('view', { where: draft }), block('view', { items: ['note'] }), allow('view', { where: published })],
    table('yyy', 'yyy', 'nnn', 'nnn'),
  ],
]

/** What becomes of an item: fields that are set, or all data that is not an object. */
export type Change = {
  data?: Record<string, unknown> | string
  tags?: string[]
  description?: string
  readonly?: boolean
}
/** A call: of an item that is changed or deleted, or of one that is created. */
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

/** Of each write whether nobody, Ada and Bob may make it; all of them see everything. */
export const writes: [claim: string, rules: Rule[], allowed: [write: Write, expected: string][]][] = [
  ['authors edit drafts until they are submitted', [allow('update', edit)], [
    [set('plan', { title: 'New' }), 'nyn'], [set('plan', { status: 'submitted' }), 'nyn'],
    [set('plan', { status: 'published' }), 'nnn'], [set('news', { title: 'New' }), 'nnn'],
    [set('note', { title: 'New' }), 'nny'], [toBob, 'nyn'], [set('bare', { status: 'draft' }), 'nnn'],
  ]],
  ['what holds before has to hold after', [allow('update', { where: mine })], [
    [set('plan', { title: 'New' }), 'nyn'], [toBob, 'nnn'], [set('news', { status: 'x' }), 'nyn'],
    [update('bare', ({ ada }) => ({ data: { author: ada } })), 'nnn'],
  ]],
  ['only what becomes of an item counts', [allow('update', { becomes: draft })], [
    [set('news', { status: 'draft' }), 'yyy'], [set('news', { title: 'New' }), 'nnn'], [set('plan', { title: 'New' }), 'yyy'],
  ]],
  ['titles and tags of drafts are changed', [allow('update', { where: draft, changes: ['/title', 'tags'] })], [
    [set('plan', { title: 'New' }), 'yyy'], [set('plan', { title: 'New', status: 'draft' }), 'yyy'],
    [update('plan', { tags: [] }), 'yyy'], [update('plan', { data: { title: 'New' }, tags: ['a'] }), 'yyy'],
    [update('plan', { description: 'New' }), 'nnn'], [set('plan', { rank: 6 }), 'nnn'], [set('plan', { rank: 5 }), 'yyy'],
    [set('plan', { title: 'New', rank: 6 }), 'nnn'], [set('news', { title: 'New' }), 'nnn'],
    [update('plan', { data: 'all of it' }), 'nnn'], [update('plan', { readonly: true }), 'nnn'],
  ]],
  ['all data is changed, and no field', [allow('update', { changes: [''] })], [
    [set('plan', { rank: 6 }), 'yyy'], [update('plan', { data: 'all of it' }), 'yyy'], [update('plan', { tags: [] }), 'nnn'],
  ]],
  ['everything but the status is changed', [allow('update'), block('update', { changes: ['/status'] })], [
    [set('news', { title: 'New' }), 'yyy'], [set('news', { status: 'x' }), 'nnn'], [set('bare', { status: 'x' }), 'nnn'],
    [set('bare', { title: 'New' }), 'yyy'], [update('news', { data: 'all of it' }), 'nnn'], [update('news', { tags: [] }), 'yyy'],
    [update('bare', { data: 'all of it' }), 'nnn'],
  ]],
  ['what is inside of members stays', [allow('update'), block('update', { changes: ['/members/0'] })], [
    [set('plan', { members: [] }), 'nnn'], [set('plan', { team: 'x' }), 'yyy'], [set('plan', { members: { a: 1 } }), 'nnn'],
  ]],
  ['what is published keeps its title', [allow('update'), block('update', { where: published, changes: ['/title'] })], [
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
  ['drafts of their own are created', [allow('create', { where: { ...draft, ...mine } })], [
    [create(({ ada: author }) => ({ status: 'draft', author })), 'nyn'],
    [create(({ bob: author }) => ({ status: 'draft', author })), 'nny'],
    [create(({ ada: author }) => ({ status: 'published', author })), 'nnn'], [create({}), 'nnn'],
  ]],
  ['drafts are created by identities', [allow('create-with-identity', { where: draft })], [
    [create({ status: 'draft' }), 'nyy'], [create({ status: 'published' }), 'nnn'], [create({}), 'nnn'],
  ]],
  ['all but what is published is created', [allow('create'), block('create', { where: published })], [
    [create({ status: 'draft' }), 'yyy'], [create({ status: 'published' }), 'nnn'], [create({}), 'yyy'],
  ]],
  ['drafts are deleted', [allow('delete', { where: draft })], [
    [remove('news'), 'nnn'], [remove('plan'), 'yyy'], [remove('note'), 'yyy'], [remove('bare'), 'nnn'],
  ]],
  ['what is not known not to be theirs is not deleted', [allow('delete'), block('delete', { where: mine })], [
    [remove('news'), 'nny'], [remove('plan'), 'nny'], [remove('note'), 'nyn'], [remove('bare'), 'nyy'],
  ]],
  ['everything is done with drafts', [allow('*', { where: draft })], [
    [set('plan', { title: 'New' }), 'yyy'], [set('plan', { status: 'published' }), 'nnn'], [create({ status: 'draft' }), 'yyy'],
    [create({ status: 'published' }), 'nnn'], [remove('news'), 'nnn'], [remove('plan'), 'yyy'],
  ]],
] // biome-ignore format: a table

/** Rules as they are sent. */
export function rulesFor(rules: readonly Rule[], listId: string, idOf: (name: SampleName) => string): PermissionRule[] {
  return rules.map(({ items, ...rule }) => ({
    ...rule,
    resourceType: 'item',
    listIds: [listId],
    ...(items && { itemIds: items.map(idOf) }),
  }))
}

/** The data after a change. */
export function changed(data: Record<string, unknown>, change: Change['data']): unknown {
  return typeof change === 'object' ? { ...data, ...change } : (change ?? data)
}
