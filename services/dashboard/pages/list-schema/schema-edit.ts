import { findAt, setAt } from '#shared/json/edit/at-pointer.ts'
import { applyPatch, type PatchOperation } from '#shared/json/edit/patch.ts'
import { childPointer } from '#shared/json/pointer.ts'
import { compact, layOut } from '#shared/json/text/layout.ts'

// Edits of a schema's text. Other keywords, the order of keys and the digits of numbers stay.
// Every text is valid JSON, and pointers address schemas in it, like those of `treeOf`.

/** Sets the types of a place; an empty array allows any type. */
export function withTypes(text: string, pointer: string, types: readonly string[]): string {
  const type = JSON.stringify(types.length === 1 ? types[0] : types)
  return changed(text, (schema) => {
    const at = childPointer(pointer, 'type')
    const before = findAt(schema, pointer)
    // A boolean schema (such as `true`, any value) has no keywords.
    if (!before?.startsWith('{'))
      return [{ op: 'replace', path: pointer, value: types.length > 0 ? `{"type":${type}}` : '{}' }]
    const has = findAt(schema, at) !== null
    if (types.length === 0) return has ? [{ op: 'remove', path: at }] : []
    return [{ op: has ? 'replace' : 'add', path: at, value: type }]
  })
}

/** Sets whether an object must have a property. @param pointer of the object's schema */
export function withRequired(text: string, pointer: string, name: string, isRequired: boolean): string {
  return changed(text, (schema) => (isRequired ? requiring(schema, pointer, name) : releasing(schema, pointer, name)))
}

/** Adds a property after the others. @param pointer of the object's schema, which has no property of this name */
export function withProperty(text: string, pointer: string, name: string, types: readonly string[]): string {
  const properties = childPointer(pointer, 'properties')
  const type = types.length > 0 ? { type: types.length === 1 ? types[0] : types } : {}
  return changed(text, (schema) => {
    const has = findAt(schema, properties)?.startsWith('{') === true
    const begin: PatchOperation[] = has ? [] : [{ op: 'add', path: properties, value: '{}' }]
    return [...begin, { op: 'add', path: childPointer(properties, name), value: JSON.stringify(type) }]
  })
}

/** Removes a property, also from `required`. @param pointer of the object's schema */
export function withoutProperty(text: string, pointer: string, name: string): string {
  const path = childPointer(childPointer(pointer, 'properties'), name)
  return changed(text, (schema) => [{ op: 'remove', path }, ...releasing(schema, pointer, name)])
}

/** Adds a schema for the elements of an array. */
export function withElements(text: string, pointer: string): string {
  return changed(text, () => [{ op: 'add', path: childPointer(pointer, 'items'), value: '{}' }])
}

/** Sets the schema's comment, which does not change its meaning. */
export function withComment(text: string, comment: string): string {
  return setAt(compact(text), '/$comment', JSON.stringify(comment))
}

function changed(text: string, operationsOn: (schema: string) => PatchOperation[]): string {
  const schema = compact(text)
  return layOut(applyPatch(schema, operationsOn(schema), { maxLength: Number.POSITIVE_INFINITY }))
}

function requiring(schema: string, pointer: string, name: string): PatchOperation[] {
  const path = childPointer(pointer, 'required')
  const names = requiredIn(schema, path)
  if (names === null) return [{ op: 'add', path, value: JSON.stringify([name]) }]
  return names.includes(name) ? [] : [{ op: 'add', path: `${path}/-`, value: JSON.stringify(name) }]
}

/** Removes a name from `required`, and `required` itself if it becomes empty. */
function releasing(schema: string, pointer: string, name: string): PatchOperation[] {
  const path = childPointer(pointer, 'required')
  const names = requiredIn(schema, path)
  if (!names?.includes(name)) return []
  if (names.every((one) => one === name)) return [{ op: 'remove', path }]
  const places = names.flatMap((one, n) => (one === name ? [n] : []))
  return places.reverse().map((n) => ({ op: 'remove', path: childPointer(path, n) }))
}

function requiredIn(schema: string, path: string): unknown[] | null {
  const text = findAt(schema, path)
  return text?.startsWith('[') ? JSON.parse(text) : null
}
