import { lengths } from './limits.ts'

/** The characters of a path name, also as a JSON Schema `pattern` (specification, Sync document). */
export const pathNamePattern = '^[A-Za-z0-9_-]+$'
const allowed = new RegExp(pathNamePattern)

export function isPathName(text: string): boolean {
  return text.length <= lengths.pathName && allowed.test(text)
}

/** The key by which path names are compared and found. */
export function pathNameKey(pathName: string): string {
  return pathName.toLowerCase()
}

/**
 * A path name from a name: accents dropped, other characters that are not allowed turned into a hyphen, `Crème brûlée!` →
 * `creme-brulee`. Null when no character is allowed, for example in another script.
 */
export function pathNameFrom(name: string): string | null {
  const words = name
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
  const pathName = words
    .slice(0, lengths.pathName)
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
  return pathName === '' ? null : pathName
}
