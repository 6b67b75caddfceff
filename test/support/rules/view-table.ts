import { allow, block, draft, mine, published, type Rule, type SampleName } from './samples.ts'

/** For each item whether a caller without an identity, Ada and Bob see it: y or n. */
type View = [claim: string, rules: Rule[], seen: Record<SampleName, string>]

const table = (news: string, plan: string, note: string, bare: string) => ({ news, plan, note, bare })

export const views: View[] = [
  ['published items', [allow('view', { where: published })], table('yyy', 'nnn', 'nnn', 'nnn')],
  [
    'items that are not published',
    [allow('view', { where: { status: 'not:eq:published' } })],
    table('nnn', 'yyy', 'yyy', 'yyy'),
  ],
  [
    'published items that were due before now',
    [allow('view', { where: { ...published, due: 'before:$now' } })],
    table('yyy', 'nnn', 'nnn', 'nnn'),
  ],
  ['items that are due later', [allow('view', { where: { due: 'after:$now' } })], table('nnn', 'yyy', 'nnn', 'nnn')],
  ['items of which the caller is the author', [allow('view', { where: mine })], table('nyn', 'nyn', 'nny', 'nnn')],
  [
    'items of which the caller is not the author',
    [allow('view', { where: { author: 'not:eq:$identity.id' } })],
    table('nny', 'nny', 'nyn', 'nyy'),
  ],
  [
    'items of which the caller is not the author, with "not" around the condition',
    [allow('view', { where: { not: mine } })],
    table('nny', 'nny', 'nyn', 'nyy'),
  ],
  [
    'items of which the caller is the author, with "in:"',
    [allow('view', { where: { author: 'in:$identity.id' } })],
    table('nyn', 'nyn', 'nny', 'nnn'),
  ],
  [
    'items of which the caller is a member',
    [allow('view', { where: { members: 'eq:$identity.id' } })],
    table('nyn', 'nyy', 'nny', 'nnn'),
  ],
  [
    'items that are published or by the caller',
    [allow('view', { where: { or: [published, mine] } })],
    table('yyy', 'nyn', 'nny', 'nnn'),
  ],
  [
    'items that are published and by the caller',
    [allow('view', { where: { and: [published, mine] } })],
    table('nyn', 'nnn', 'nnn', 'nnn'),
  ],
  [
    'items of the group of the caller',
    [allow('view', { where: { team: 'eq:$identity.group' } })],
    table('nyn', 'nyn', 'nnn', 'nnn'),
  ],
  [
    'items of another group',
    [allow('view', { where: { team: 'not:eq:$identity.group' } })],
    table('nnn', 'nnn', 'nyn', 'nyn'),
  ],
  [
    'items with a tag of the caller',
    [allow('view', { where: { tagged: 'in:$identity.tags' } })],
    table('nyn', 'nyn', 'nnn', 'nnn'),
  ],
  [
    'items without a tag of the caller',
    [allow('view', { where: { tagged: 'not:in:$identity.tags' } })],
    table('nny', 'nny', 'nyy', 'nyy'),
  ],
  [
    'items whose status is a tag of the token',
    [allow('view', { where: { status: 'in:$token.tags' } })],
    table('nnn', 'yyy', 'yyy', 'nnn'),
  ],
  ['all but drafts', [allow('view'), block('view', { where: draft })], table('yyy', 'nnn', 'nnn', 'yyy')],
  [
    'all but items that are not known to be by the caller',
    [allow('view'), block('view', { where: { author: 'not:eq:$identity.id' } })],
    table('nyn', 'nyn', 'nny', 'nnn'),
  ],
  [
    'nothing but published items',
    [block('view'), allow('view', { where: published })],
    table('yyy', 'nnn', 'nnn', 'nnn'),
  ],
  [
    'published items without news',
    [allow('view', { where: published }), block('view', { where: { tagged: 'news' } })],
    table('nnn', 'nnn', 'nnn', 'nnn'),
  ],
  [
    'published items, after a rule that blocks news',
    [block('view', { where: { tagged: 'news' } }), allow('view', { where: published })],
    table('yyy', 'nnn', 'nnn', 'nnn'),
  ],
  ['drafts that the caller owns', [allow('view-with-identity', { where: draft })], table('nnn', 'nyn', 'nny', 'nnn')],
  [
    'published items, and those that the caller owns',
    [allow('view', { where: published }), allow('view-with-identity')],
    table('yyy', 'nyn', 'nny', 'nnn'),
  ],
  [
    'items that the caller owns, without drafts',
    [allow('view-with-identity'), block('view-with-identity', { where: draft })],
    table('nnn', 'nnn', 'nnn', 'nnn'),
  ],
  [
    'published items, which a rule that blocks owners does not affect',
    [allow('view', { where: published }), block('view-with-identity')],
    table('yyy', 'nnn', 'nnn', 'nnn'),
  ],
  [
    'items by the caller or of a rank',
    [allow('view', { where: { or: [mine, { rank: 'gte:5' }] } })],
    table('nyn', 'yyy', 'yyy', 'nnn'),
  ],
  [
    'items by the caller and of a rank',
    [allow('view', { where: { ...mine, rank: 'gte:5' } })],
    table('nnn', 'nyn', 'nny', 'nnn'),
  ],
  [
    'items that are not both by the caller and published',
    [allow('view', { where: { not: { and: [mine, published] } } })],
    table('nny', 'yyy', 'yyy', 'yyy'),
  ],
  [
    'items that are neither by the caller nor published',
    [allow('view', { where: { not: { or: [mine, published] } } })],
    table('nnn', 'nny', 'nyn', 'nyy'),
  ],
  ['items without a date', [allow('view', { where: { due: 'null' } })], table('nnn', 'nnn', 'yyy', 'yyy')],
  ['items that can be changed', [allow('view', { where: { readonly: false } })], table('yyy', 'yyy', 'yyy', 'yyy')],
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
  [
    'items in a range of ranks',
    [allow('view', { where: { rank: ['gte:1', 'lt:9'] } })],
    table('yyy', 'yyy', 'nnn', 'nnn'),
  ],
  [
    'items whose author is the literal text "$identity.id"',
    [allow('view', { where: { author: 'eq:$$identity.id' } })],
    table('nnn', 'nnn', 'nnn', 'nnn'),
  ],
  ['drafts, with a rule for every action', [allow('*', { where: draft })], table('nnn', 'yyy', 'yyy', 'nnn')],
  [
    'drafts, then published items, all but a named one',
    [allow('view', { where: draft }), block('view', { items: ['note'] }), allow('view', { where: published })],
    table('yyy', 'yyy', 'nnn', 'nnn'),
  ],
]
