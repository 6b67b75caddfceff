import type { Lambda, Node } from './syntax.ts'
import { type Token, tokensOf } from './tokens.ts'

/** The parts of an expression that are evaluated for it, but for the arguments of calls. */
export function childrenOf(node: Exclude<Node, { kind: 'name' | 'call' }>): readonly Node[] {
  switch (node.kind) {
    case 'literal':
      return []
    case 'list':
      return node.entries.map(({ value }) => value)
    case 'object':
      return node.members.flatMap((member) =>
        'spread' in member
          ? [member.spread]
          : typeof member.key === 'string'
            ? [member.value]
            : [member.key, member.value],
      )
    case 'member':
    case 'unary':
      return [node.of]
    case 'element':
      return [node.of, node.key]
    case 'binary':
      return [node.left, node.right]
    case 'choice':
      return [node.condition, node.then, node.otherwise]
  }
}

/** Whether an expression names a value; parameters of functions hide the name. */
export function isNamed(node: Node | Lambda, name: string): boolean {
  return namesRead(node, name).length > 0
}

/** Where an expression names a value; parameters of functions hide the name. */
export function namesRead(node: Node | Lambda, name: string): number[] {
  if (node.kind === 'lambda') return node.parameters.includes(name) ? [] : namesRead(node.body, name)
  if (node.kind === 'name') return node.name === name ? [node.at] : []
  return partsOf(node).flatMap((part) => namesRead(part, name))
}

function partsOf(node: Node): readonly (Node | Lambda)[] {
  return node.kind === 'name' ? [] : node.kind === 'call' ? node.args : childrenOf(node)
}

/** A member that an expression reads of a name, such as `steps.a`, where, and where the name stands. */
export type ReadMember = { key: string; at: number; nameAt: number }

/** The members that an expression reads of a name by keys that stand in its text; parameters of functions hide the name. */
export function membersRead(node: Node | Lambda, name: string): ReadMember[] {
  if (node.kind === 'lambda') return node.parameters.includes(name) ? [] : membersRead(node.body, name)
  const below = partsOf(node).flatMap((part) => membersRead(part, name))
  const read = readOf(node, name)
  return read ? [read, ...below] : below
}

function readOf(node: Node, name: string): ReadMember | null {
  if (node.kind !== 'member' && node.kind !== 'element') return null
  const { at, of, key } = node
  if (of.kind !== 'name' || of.name !== name) return null
  if (typeof key === 'string') return { key, at, nameAt: of.at }
  return key.kind === 'literal' && typeof key.value === 'string' ? { key: key.value, at, nameAt: of.at } : null
}

/** Where a key stands in the text of an expression, without the quotes around it. */
export type KeyPlace = { from: number; to: number }

/**
 * Where expressions read a member of a name by a key that stands in their text, such as `card` in `steps.card` and `steps["card"]`.
 * @param text of an expression or of helpers, without syntax errors
 * @param nodes what was parsed of it
 * @returns `isOpen`: the name is also read by a key that only a run knows, such as `steps[input.name]`
 */
export function findMember(
  text: string,
  nodes: readonly (Node | Lambda)[],
  { name, key }: { name: string; key: string },
): { places: KeyPlace[]; isOpen: boolean } {
  const tokens = tokensOf(text)
  const read = nodes.flatMap((node) => membersRead(node, name))
  const places = read.filter((one) => one.key === key).map(({ nameAt }) => keyBehind(tokens, nameAt))
  return { places, isOpen: read.length < nodes.flatMap((node) => namesRead(node, name)).length }
}

/** The key after the name at an offset, as in `.key`, `?.key` and `["key"]`; parentheses may stand around the name. */
function keyBehind(tokens: readonly Token[], nameAt: number): KeyPlace {
  const key = tokens.slice(tokens.findIndex(({ at }) => at === nameAt) + 1).find(({ kind }) => kind !== 'sign')
  const quotes = key?.kind === 'literal' ? 1 : 0
  return { from: (key?.at ?? 0) + quotes, to: (key?.end ?? 0) - quotes }
}
