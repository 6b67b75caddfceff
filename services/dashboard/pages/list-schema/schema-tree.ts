import { JsonEdit } from '#shared/json/edit/edit.ts'
import { childPointer } from '#shared/json/pointer.ts'
import { compact } from '#shared/json/text/layout.ts'

/** The schema of one place of the data. */
export type SchemaNode = {
  /** The pointer of this schema in the text. */
  pointer: string
  /** The name of the property; null: the whole value, or each element of an array. */
  name: string | null
  /** The types that it names; empty: any type. */
  types: readonly string[]
  isRequired: boolean
  /** Its other keywords, each with the beginning of its value. */
  notes: readonly string[]
  /** The schema of its elements; null: there is none, it is not a single schema, or the tree has its maximum of places. */
  elements: SchemaNode | null
  properties: readonly SchemaNode[]
  /** Number of further properties, which only the text shows. */
  hidden: number
}

export const schemaTypes = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'] as const

/** Places that a tree shows at most: in a larger schema, the text is faster to search. */
const mostNodes = 400

/**
 * The tree of a schema's text: its properties and elements in the order of the text. Other keywords with schemas, such as `allOf`, are
 * notes of their place.
 * @param text valid JSON, however it is laid out
 * @returns null if the schema is not an object
 */
export function treeOf(text: string): SchemaNode | null {
  const root = new JsonEdit(compact(text))
  if (root.kind !== 'object') return null
  return nodeOf(root, { pointer: '', name: null, isRequired: false }, { left: mostNodes })
}

type Place = Pick<SchemaNode, 'pointer' | 'name' | 'isRequired'>

function nodeOf(schema: JsonEdit, place: Place, nodes: { left: number }): SchemaNode {
  nodes.left--
  const empty = { ...place, types: [], elements: null, properties: [], hidden: 0 }
  if (schema.kind !== 'object') return { ...empty, notes: [schema.print() === 'false' ? 'not allowed' : 'anything'] }
  const { members } = schema
  const items = members.get('items')?.value
  const hasElements = items !== undefined && items.kind !== 'array' && nodes.left > 0
  const elements = hasElements
    ? nodeOf(items, { pointer: childPointer(place.pointer, 'items'), name: null, isRequired: false }, nodes)
    : null
  const shown = ['type', 'properties', 'required', ...(hasElements ? ['items'] : [])]
  const others = [...members].filter(([name]) => !shown.includes(name))
  return {
    ...place,
    types: textsOf(members.get('type')?.value),
    notes: others.map(([name, { value }]) => noteOf(name, value.print())),
    elements,
    ...propertiesOf(schema, place.pointer, nodes),
  }
}

function propertiesOf({ members }: JsonEdit, pointer: string, nodes: { left: number }) {
  const value = members.get('properties')?.value
  const all = value?.kind === 'object' ? [...value.members] : []
  const required = new Set(textsOf(members.get('required')?.value))
  const holder = childPointer(pointer, 'properties')
  const properties: SchemaNode[] = []
  for (const [name, property] of all) {
    if (nodes.left <= 0) break
    const place = { pointer: childPointer(holder, name), name, isRequired: required.has(name) }
    properties.push(nodeOf(property.value, place, nodes))
  }
  return { properties, hidden: all.length - properties.length }
}

/** The strings of a value that is a string or an array. */
function textsOf(value: JsonEdit | undefined): string[] {
  const parsed: unknown = value === undefined ? [] : JSON.parse(value.print())
  return [parsed].flat().filter((text) => typeof text === 'string')
}

const mostOfNote = 48

function noteOf(name: string, value: string): string {
  const plain = /^"[^\\]*"$/.test(value) ? value.slice(1, -1) : value
  return `${name} ${plain.length > mostOfNote ? `${plain.slice(0, mostOfNote).toWellFormed()}…` : plain}`
}
