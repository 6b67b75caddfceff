import type { ApiToken } from '#client/src/types/user-resources.ts'
import type { PermissionRule, Selector } from '#shared/domain/access/permission-rule.ts'
import type { Tone } from '../../parts/display/marks.tsx'
import { countOf } from '../../parts/display/text.tsx'
import type { KnownList } from './effect/effect.ts'

/** Irregular plurals of resource types. */
const plurals: Readonly<Record<string, string>> = { index: 'indexes', identity: 'identities', stats: 'stats' }
export const pluralOf = (type: PermissionRule['resourceType']) => (type ? (plurals[type] ?? `${type}s`) : 'everything')

const selectorWords: Readonly<Record<Exclude<Selector, 'listIds'>, string>> = {
  itemIds: 'item',
  indexIds: 'index',
  identityIds: 'identity',
  groups: 'group',
  flowIds: 'flow',
}

/** Where a rule applies: path names of up to three lists, names of groups, and the numbers of other things. */
export function whereOf(rule: PermissionRule, lists: readonly KnownList[]): string {
  const { listIds } = rule
  const nameOf = (id: string) => lists.find((list) => list.id === id)?.pathName ?? `${id.slice(0, 8)}…`
  const shown = listIds?.slice(0, 3).map(nameOf) ?? []
  const more = (listIds?.length ?? 0) - shown.length
  const parts = [...shown, ...(more > 0 ? [`${more} more`] : [])]
  for (const [name, word] of Object.entries(selectorWords)) {
    const ids = rule[name as keyof typeof selectorWords]
    if (ids && !ids.includes('*')) parts.push(name === 'groups' ? ids.join(', ') : countOf(ids.length, word))
  }
  return listIds?.includes('*') || parts.length === 0 ? 'all' : parts.join(', ')
}

/** Whether a token can be used now, in a word. @param now epoch milliseconds */
export function stateOf({ locked, activated, expiresAt }: ApiToken, now: number): { label: string; tone: Tone } {
  if (locked) return { label: 'locked by the operator', tone: 'bad' }
  if (!activated) return { label: 'switched off', tone: 'warn' }
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return { label: 'expired', tone: 'warn' }
  return { label: 'active', tone: 'good' }
}
