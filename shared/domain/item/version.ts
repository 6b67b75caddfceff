/** Versions of items: `<major>.<minor>.<patch>` (specification, Versioning). */

export const firstVersion = '1.0.0'

/** At most 15 digits per part, so that the parts of a client's version, and of the versions after it, are exact numbers. */
export const versionRule = {
  pattern: '^(0|[1-9][0-9]{0,14})\\.(0|[1-9][0-9]{0,14})\\.(0|[1-9][0-9]{0,14})$',
  message: 'must have the form <major>.<minor>.<patch>',
}
const version = new RegExp(versionRule.pattern)

/** Whether a client may set this as an item's version. */
export function isVersion(text: string): boolean {
  return version.test(text)
}

/** The version after this one: the patch part +1. */
export function nextVersion(version: string): string {
  const [major, minor, patch] = parts(version)
  return `${major}.${minor}.${patch + 1}`
}

/** Negative when `a` is lower than `b`, 0 when they are the same, positive when it is greater; parts compare as numbers. */
export function compareVersions(a: string, b: string): number {
  const [majorA, minorA, patchA] = parts(a)
  const [majorB, minorB, patchB] = parts(b)
  return majorA - majorB || minorA - minorB || patchA - patchB
}

function parts(version: string): [number, number, number] {
  const [major, minor, patch] = version.split('.').map(Number)
  return [major ?? 0, minor ?? 0, patch ?? 0]
}
