import { JsonEdit } from './edit.ts'

/**
 * The text of a value with another one merged into it (contract 2.2): objects member by member, arrays one after the
 * other, everything else replaced. What the merge does not reach stays byte for byte.
 */
export function mergeDeep(text: string, change: string): string {
  return deeply(new JsonEdit(text), new JsonEdit(change)).print()
}

function deeply(target: JsonEdit, change: JsonEdit): JsonEdit {
  if (target.kind !== change.kind || change.kind === 'scalar') return change
  if (change.kind === 'array') {
    for (const element of change.elements) target.elements.push(element)
    return target
  }
  for (const [key, member] of change.members) {
    const present = target.members.get(key)
    if (present) present.value = deeply(present.value, member.value)
    else target.members.set(key, member)
  }
  return target
}

/** The text of a value changed by a merge patch (RFC 7396): null removes a member, arrays are replaced. */
export function mergePatch(text: string, patch: string): string {
  return patched(new JsonEdit(text), new JsonEdit(patch)).print()
}

function patched(target: JsonEdit, patch: JsonEdit): JsonEdit {
  if (patch.kind !== 'object') return patch
  const object = target.kind === 'object' ? target : new JsonEdit('{}')
  for (const [key, { keyText, value }] of patch.members) {
    const present = object.members.get(key)
    if (value.kind === 'scalar' && value.print() === 'null') object.members.delete(key)
    else if (present) present.value = patched(present.value, value)
    else object.members.set(key, { keyText, value: patched(new JsonEdit('null'), value) })
  }
  return object
}
