import { isEqual } from '#shared/json/compare/equality.ts'
import { parseExact } from '#shared/json/exact.ts'
import { isObject } from '#shared/json/is-object.ts'
import { own } from '#shared/json/own.ts'
import { childPointer, parsePointer } from '#shared/json/pointer.ts'
import { type ChangeableField, changeableFields, isChangeableField } from '../access/rule-conditions.ts'
import type { Item } from '../item/item.ts'
import { nextVersion } from '../item/version.ts'
import { sameTags } from '../tags.ts'

/** The changes of a write: names of fields, and JSON Pointers into the data. */
export type ItemChanges = readonly string[]

/** The parts of an item that a write may change. */
type Changeable = Pick<Item, ChangeableField | 'data'>

/**
 * The differences between two states of an item, by value: numbers by decimal value, keys in any order. A changed array is one change. An
 * object is compared member by member only above an entry of `asked`; below and elsewhere, a difference in it is one change. Yields from
 * time to time, because data may be long.
 * @param asked the entries of `changes` of rules; their number bounds the work
 */
export function* changesBetween(
  before: Changeable,
  after: Changeable,
  asked: readonly string[],
): Generator<undefined, ItemChanges> {
  const fields = changeableFields.filter((name) => isChanged(name, before, after))
  if (before.data === after.data) return fields
  const old = parseExact(before.data)
  yield
  const data: string[] = []
  const present = parseExact(after.data)
  yield
  yield* differences({ old, present, pointer: '' }, treeOf(asked), data)
  return [...fields, ...data]
}

function isChanged(name: ChangeableField, before: Changeable, after: Changeable): boolean {
  if (name === 'tags') return !sameTags(before.tags, after.tags)
  // Every update increments the version; any other version was set by the write.
  const isCounted = name === 'version' && after.version === nextVersion(before.version)
  return before[name] !== after[name] && !isCounted
}

/** Entries as a tree, by the tokens of their pointers. */
type Tree = Map<string, Tree>

function treeOf(asked: readonly string[]): Tree {
  const root: Tree = new Map()
  for (const entry of asked) {
    if (isChangeableField(entry)) continue
    let tree = root
    for (const token of parsePointer(entry) ?? []) {
      const below: Tree = tree.get(token) ?? new Map()
      tree.set(token, below)
      tree = below
    }
  }
  return root
}

type Place = { old: unknown; present: unknown; pointer: string }

function* differences(
  { old, present, pointer }: Place,
  tree: Tree | undefined,
  found: string[],
): Generator<undefined, void> {
  if (!tree || tree.size === 0 || !isObject(old) || !isObject(present)) {
    if (!isEqual(old, present)) found.push(pointer)
    return
  }
  let members = 0
  for (const name of new Set([...Object.keys(old), ...Object.keys(present)])) {
    const at = { old: own(old, name), present: own(present, name), pointer: childPointer(pointer, name) }
    yield* differences(at, tree.get(name), found)
    if (++members % membersAtOnce === 0) yield
  }
}

const membersAtOnce = 100

/** Whether every change is at or below one of the entries: the updates that an allow rule with `changes` covers. */
export function liesWithin(changes: ItemChanges, entries: readonly string[]): boolean {
  return changes.every((change) => entries.some((entry) => isAtOrBelow(change, entry)))
}

/** Whether a change is at, below or above one of the entries: the updates that a block rule with `changes` covers. */
export function touches(changes: ItemChanges, entries: readonly string[]): boolean {
  return changes.some((change) => entries.some((entry) => isAtOrBelow(change, entry) || isAtOrBelow(entry, change)))
}

function isAtOrBelow(change: string, entry: string): boolean {
  if (isChangeableField(change) || isChangeableField(entry)) return change === entry
  return change === entry || change.startsWith(`${entry}/`)
}
