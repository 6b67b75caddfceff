import type { FieldError } from '../errors.ts'
import { lengths } from './limits.ts'
import { isReachable, reachableRule } from './reachable.ts'

/**
 * The name of a group of identities, also as a JSON Schema `pattern`. Printable ASCII without outer spaces: the name is sent in a
 * header, where other characters do not arrive unchanged.
 */
export const groupNamePattern = `^[!-~](?:[ -~]{0,${lengths.group - 2}}[!-~])?$`

const groupName = new RegExp(groupNamePattern)

export const groupNameRule = `1 to ${lengths.group} printable ASCII characters without spaces at its ends`

/** The same for a new group, which must be addressable by its name in a path. Older groups may have any name. */
export const newGroupNamePattern = `^(?!\\.{1,2}$)${groupNamePattern.slice(1)}`

/** Names are compared exactly. */
export function isGroupName(text: string): boolean {
  return groupName.test(text)
}

/** The errors of a new group's name. */
export function groupNameErrors(name: string, path: string): FieldError[] {
  return isGroupName(name) && isReachable(name)
    ? []
    : [{ path, message: `must be ${groupNameRule}, and ${reachableRule}` }]
}
