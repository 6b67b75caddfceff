import type { Field } from '../fields/field.ts'
import { lengths } from '../limits.ts'

/** A scope names the application that manages lists by schema sync; scopes compare exactly (contract 2.4). */
export const scopePattern = `^[A-Za-z0-9_-]{1,${lengths.scope}}$`

/** The scope of a list or an index. */
export const scopeField = {
  kind: 'text',
  max: lengths.scope,
  nullable: true,
  initial: null,
  about: 'The application that manages it by schema sync; null: none does.',
} as const satisfies Field

/** The tag that a managed list or index carries in addition to its own tags. */
function scopeTag(name: string): string {
  return name.toLowerCase()
}

/** Stored tags without the scope's tag. */
export function ownTags(tags: readonly string[], managedBy: string | null): string[] {
  return managedBy === null ? [...tags] : tags.filter((entry) => entry !== scopeTag(managedBy))
}

/** Own tags followed by the scope's tag, as they are stored. */
export function withScopeTag(tags: readonly string[], managedBy: string | null): string[] {
  return managedBy === null ? [...tags] : [...ownTags(tags, managedBy), scopeTag(managedBy)]
}
