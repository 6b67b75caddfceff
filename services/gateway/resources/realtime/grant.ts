import { createHash } from 'node:crypto'
import type { Permissions } from '#shared/domain/access/compiled-rules.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'

/** Characters: enough that two grants never look the same by chance. */
const markLength = 16

/** The text of rules, which are compiled once for each version of a token. */
const ruleTexts = new WeakMap<Permissions, string>()

/**
 * Identifies what decides what a principal sees: rules, tags, the identity and its tags. The same for all users of an account, who
 * see everything. A client keeps it as a part of the `id` of frames, and all gateways compute the same.
 */
export function grantOf(principal: AuthenticatedPrincipal): string {
  if (principal.mode === 'user') return ''
  const { permissions, identity, tokenId, tokenTags } = principal
  const seen = identity && { ...identity, displayName: '' }
  const text = `${ruleText(permissions)}\n${JSON.stringify([seen, tokenId, tokenTags])}`
  return createHash('sha256').update(text).digest('base64url').slice(0, markLength)
}

/** Whether what two principals see is decided by the same; those that were read at once are not computed again. */
export function haveOneGrant(one: AuthenticatedPrincipal, other: AuthenticatedPrincipal): boolean {
  if (one.mode === 'user' || other.mode === 'user') return one.mode === other.mode
  const isOneRead =
    one.permissions === other.permissions && one.identity === other.identity && one.tokenTags === other.tokenTags
  return isOneRead || grantOf(one) === grantOf(other)
}

function ruleText(permissions: Permissions): string {
  const kept = ruleTexts.get(permissions)
  if (kept !== undefined) return kept
  const text = JSON.stringify(permissions, (_name, value) => (value instanceof Set ? [...value].toSorted() : value))
  ruleTexts.set(permissions, text)
  return text
}
