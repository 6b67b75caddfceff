import type { FieldError } from '#shared/errors.ts'
import { groupFields, groupNamePattern } from './group-fields.ts'

const groupName = new RegExp(groupNamePattern)

/** The errors of a group's name. Names are compared exactly. */
export function groupNameErrors(name: string, path: string): FieldError[] {
  if (groupName.test(name)) return []
  return [{ path, message: groupFields.name.rule.message }]
}
