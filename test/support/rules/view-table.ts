import { allow, block, draft, mine, published, type Rule, type SampleName } from './samples.ts'

/** For each item whether a caller without an identity, Ada and Bob see it: y or n. */
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
