import type { Node } from '../expression/syntax.ts'
import { isGroup } from '../item/questions/where.ts'
import type { NodeOf } from './language/flow.ts'

/** A condition that stands in a document: its name, and of one in a group where: below which key of `where`, at which offset of the text. */
export type WrittenCondition = { name: string; group: { key: string; at: number } | null }

/** The conditions of `where` that its text tells. `isOpen`: the names of others only a run tells. */
export type WrittenConditions = { written: WrittenCondition[]; isOpen: boolean }

/** Reads which conditions a node has, those in groups included as far as these are written out. */
export function writtenConditions(where: NodeOf<'list-items'>['where']): WrittenConditions {
  const found: WrittenConditions = { written: [], isOpen: false }
  for (const [key, { node }] of where ?? []) {
    if (isGroup(key)) addGroup(found, key, { name: key, node })
    else found.written.push({ name: key, group: null })
  }
  return found
}

/** @param group.name `not` has conditions, `or` and `and` have lists of them */
function addGroup(found: WrittenConditions, key: string, { name, node }: { name: string; node: Node }): void {
  if (name === 'not') addMembers(found, key, node)
  else if (node.kind !== 'list') found.isOpen = true
  else
    for (const { value, isSpread } of node.entries) {
      if (isSpread) found.isOpen = true
      else addMembers(found, key, value)
    }
}

function addMembers(found: WrittenConditions, key: string, node: Node): void {
  if (node.kind !== 'object') {
    found.isOpen = true
    return
  }
  for (const member of node.members) {
    if ('spread' in member || typeof member.key !== 'string') found.isOpen = true
    else if (isGroup(member.key)) addGroup(found, key, { name: member.key, node: member.value })
    else found.written.push({ name: member.key, group: { key, at: member.value.at } })
  }
}
