import type { FieldError } from '../errors.ts'
import { lengths } from './limits.ts'

/**
 * The name of a group of identities, as a JSON Schema `pattern` too. Printable ASCII without outer spaces: the name is sent in a
 * header, where other characters do not arrive unchanged.
 */
export const groupNamePattern = `^[!-~](?:[ -~]{0,${lengths.group - 2}}[!-~])?$`

const groupName = new RegExp(groupNamePattern)

export const groupNameRule = `1 to ${lengths.group} printable ASCII characters without spaces at its ends`

/** Names are compared exactly. */
export function isGroupName(text: string): boolean {
  return groupName.test(text)
}

/** The errors of a group's name. */
export function groupNameErrors(name: string, path: string): FieldError[] {
  return isGroupName(name) ? [] : [{ path, message: `must be ${groupNameRule}` }]
}
