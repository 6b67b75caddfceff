import { createHash } from 'node:crypto'
import type { Permissions } from '#shared/domain/access/compiled-rules.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'

/** The number of characters: enough that two grants are never the same by chance. */
const markLength = 16

/** The texts of compiled rules, for as long as these are used. */
const ruleTexts = new WeakMap<Permissions, string>()

/**
 * Identifies everything that decides what a principal sees: the token with its rules and tags, and the identity with its tags. It is
 * the same for all users of an account, who see everything. Clients keep it as a part of the `id` of frames; all gateways compute the
 * same.
 */
export function grantOf(principal: AuthenticatedPrincipal): string {
  if (principal.mode === 'user') return ''
  const { permissions, identity, tokenId, tokenTags } = principal
  const seen = identity && { ...identity, displayName: '' }
  const text = `${ruleText(permissions)}\n${JSON.stringify([seen, tokenId, tokenTags])}`
  return createHash('sha256').update(text).digest('base64url').slice(0, markLength)
}

/** Whether two principals have the same grant, which is not computed if both come from the same read. */
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
