import type { Node } from '../../expression/syntax.ts'
import { filterKey } from '../../expression/syntax.ts'
import { isSearchOption } from '../../item/filters.ts'
import { withoutSearch } from '../../item/questions/search-filter.ts'
import { isGroup } from '../../item/questions/where.ts'
import { filterPrefixes } from '../../text/filter-prefixes.ts'
import type { NodeOf } from './flow.ts'
import type { FoundNode } from './nodes.ts'

/** A condition written out in a document: its name, and if it is in a group, the key of `where` and the offset in the text. */
export type WrittenCondition = { name: string; group: { key: string; at: number } | null }

/** The conditions of `where` whose names are written out. `isOpen`: there may be others, with computed names. */
export type WrittenConditions = { written: WrittenCondition[]; isOpen: boolean }

/** The conditions of a node, including those in groups that are written out. */
export function writtenConditions(where: NodeOf<'list-items'>['where']): WrittenConditions {
  const found: WrittenConditions = { written: [], isOpen: false }
  for (const [key, expression] of where ?? []) {
    const node = filterIn(expression.node) ?? expression.node
    if (isGroup(key)) addGroup(found, key, { name: key, node })
    else found.written.push({ name: key, group: null })
  }
  return found
}

/** The expression of the filter in `{filter: …}`; null: the node is not a filter. */
export function filterIn(node: Node): Node | null {
  if (node.kind !== 'object') return null
  const [member, ...others] = node.members
  return others.length === 0 && member && 'key' in member && member.key === filterKey ? member.value : null
}

/** Warns about literal texts that begin like a filter. */
export function checkLiterals(nodes: readonly FoundNode[]): void {
  for (const { node, place } of nodes) {
    if (node?.type !== 'list-items') continue
    for (const [key, { node: condition }] of node.where ?? []) {
      if (filterIn(condition)) continue
      for (const { prefix, at } of prefixesIn(condition, key))
        place
          .at('where')
          .at(key)
          .warning(
            'FILTER',
            `is compared as plain text; write a filter that begins with ${prefix} as {"filter": …}`,
            at,
          )
    }
  }
}

/** Warns about search options without a search, with which a run would fail. */
export function checkSearchOptions(nodes: readonly FoundNode[]): void {
  for (const { node, place } of nodes) {
    if (node?.type !== 'list-items' || !node.where) continue
    const where = place.at('where')
    const names = [...node.where.keys()]
    for (const name of lonelyOptions(names)) where.at(name).warning('FILTER', withoutSearch)
    for (const [key, { node: expression }] of node.where)
      if (isGroup(key))
        for (const { name, at } of lonelyIn(filterIn(expression) ?? expression))
          where.at(key).warning('FILTER', `has the condition ${JSON.stringify(name)}, which ${withoutSearch}`, at)
  }
}

const lonelyOptions = (names: readonly string[]) => (names.includes('search') ? [] : names.filter(isSearchOption))

/** The same for the members of a group, as far as they are written out. */
function lonelyIn(node: Node): { name: string; at: number }[] {
  if (node.kind === 'list') return node.entries.flatMap(({ value, isSpread }) => (isSpread ? [] : lonelyIn(value)))
  if (node.kind !== 'object') return []
  const members = node.members.flatMap((member) =>
    'key' in member && typeof member.key === 'string' ? [{ name: member.key, value: member.value }] : [],
  )
  const below = members.flatMap(({ name, value }) => (isGroup(name) ? lonelyIn(filterIn(value) ?? value) : []))
  // A spread or computed member may be the search.
  if (members.length < node.members.length) return below
  const lonely = lonelyOptions(members.map(({ name }) => name))
  return [
    ...members
      .filter(({ name }) => lonely.some((one) => one === name))
      .map(({ name, value }) => ({ name, at: value.at })),
    ...below,
  ]
}

type Prefix = { prefix: string; at: number }

/** @param name of the condition; for `or`, `and` and `not`, the members are examined */
function prefixesIn(node: Node, name: string): Prefix[] {
  if (isGroup(name)) {
    const members = node.kind === 'list' ? node.entries.map(({ value }) => value) : [node]
    return members.flatMap((member) => (member.kind === 'object' ? prefixesInMembers(member) : []))
  }
  if (node.kind === 'list') return node.entries.flatMap(({ value }) => (filterIn(value) ? [] : prefixesIn(value, name)))
  const first = firstOf(node)
  const [prefix] = (first.kind === 'literal' && typeof first.value === 'string' && likeFilter.exec(first.value)) || []
  return prefix === undefined ? [] : [{ prefix, at: first.at }]
}

function prefixesInMembers({ members }: Node & { kind: 'object' }): Prefix[] {
  return members.flatMap((member) => {
    if ('spread' in member || typeof member.key !== 'string' || filterIn(member.value)) return []
    return prefixesIn(member.value, member.key)
  })
}

/** The first operand of a concatenated text. */
function firstOf(node: Node): Node {
  return node.kind === 'binary' && node.sign === '+' ? firstOf(node.left) : node
}

const prefixes = new Set(['not', ...Object.values(filterPrefixes).flatMap((ofKind) => Object.keys(ofKind))])
const likeFilter = new RegExp(`^(${[...prefixes].join('|')}):`)

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
    else if (isGroup(member.key))
      addGroup(found, key, { name: member.key, node: filterIn(member.value) ?? member.value })
    else found.written.push({ name: member.key, group: { key, at: member.value.at } })
  }
}
