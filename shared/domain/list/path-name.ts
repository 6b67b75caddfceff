import { lengths } from '../limits.ts'

/** The characters of a path name, as a JSON Schema `pattern` too (specification, Sync document). */
export const pathNamePattern = '^[A-Za-z0-9_-]+$'
const allowed = new RegExp(pathNamePattern)

export function isPathName(text: string): boolean {
  return text.length <= lengths.pathName && allowed.test(text)
}

/** What path names are compared and found by: they differ only where this does. */
export function pathNameKey(pathName: string): string {
  return pathName.toLowerCase()
}

/**
 * A path name for something that was only given a name: accents dropped, everything else that does not fit made
 * one hyphen, `Crème brûlée!` → `creme-brulee`. Null when nothing of the name fits, say one in another script.
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
