/** Versions of items: `<major>.<minor>.<patch>` (specification, Versioning). */

export const firstVersion = '1.0.0'

/** At most 15 digits a part: a caller's version is an exact number, and counting up from it stays exact and short. */
const versionForm = /^(0|[1-9][0-9]{0,14})\.(0|[1-9][0-9]{0,14})\.(0|[1-9][0-9]{0,14})$/

/** Whether a caller may give this as an item's version. */
export function isVersion(text: string): boolean {
  return versionForm.test(text)
}

/** The version behind this one: the patch part +1. */
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
