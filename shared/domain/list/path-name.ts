import type { Field } from '../fields/field.ts'
import { lengths } from '../limits.ts'

/** The characters of a path name, as a JSON Schema `pattern` too (specification, Sync document). */
export const pathNamePattern = '^[A-Za-z0-9_-]+$'
const allowed = new RegExp(pathNamePattern)

export function isPathName(text: string): boolean {
  return text.length <= lengths.pathName && allowed.test(text)
}

/** What addresses a list or an index beside its id. A sync document has it as the key of the entry. */
export const pathNameField = {
  kind: 'text',
  min: 1,
  max: lengths.pathName,
  rule: {
    pattern: pathNamePattern,
    message: `must be 1 to ${lengths.pathName} letters, digits, hyphens or underscores`,
  },
  write: ['create', 'update'],
  filter: true,
  about: 'Addresses it beside its id, ignoring case; made from the name when a create does not set it.',
} as const satisfies Field

/** The key by which path names are compared and found. */
export function pathNameKey(pathName: string): string {
  return pathName.toLowerCase()
}

/**
 * A path name made from a name: accents dropped, other characters that are not allowed turned into a hyphen,
 * `Crème brûlée!` → `creme-brulee`. Null when no character is allowed, for example in another script.
 */
export function pathNameFrom(name: string): string | null {
  const words = name
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
  const made = words
    .slice(0, lengths.pathName)
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
  return made === '' ? null : made
}
