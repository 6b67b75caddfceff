import type { Lambda, Node } from './syntax.ts'
import { type Token, tokensOf } from './tokens.ts'

/** The subexpressions that are evaluated for a node, except for the arguments of calls. */
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

/** Whether an expression refers to a value by name; a function parameter of the same name hides it. */
export function isNamed(node: Node | Lambda, name: string): boolean {
  return namesRead(node, name).length > 0
}

/** The offsets at which an expression refers to a value by name; a function parameter of the same name hides it. */
export function namesRead(node: Node | Lambda, name: string): number[] {
  if (node.kind === 'lambda') return node.parameters.includes(name) ? [] : namesRead(node.body, name)
  if (node.kind === 'name') return node.name === name ? [node.at] : []
  return partsOf(node).flatMap((part) => namesRead(part, name))
}

function partsOf(node: Node): readonly (Node | Lambda)[] {
  return node.kind === 'name' ? [] : node.kind === 'call' ? node.args : childrenOf(node)
}

/** A member of a named value that an expression reads, such as `steps.a`, with the offsets of the read and of the name. */
export type ReadMember = { key: string; at: number; nameAt: number }

/** The members of a named value that an expression reads by literal keys; a function parameter of the same name hides it. */
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

/** The range of a key in the text of an expression, without quotes. */
export type KeyPlace = { from: number; to: number }

/**
 * Where expressions read a member of a named value by a literal key, such as `card` in `steps.card` and `steps["card"]`.
 * @param text of an expression or of helpers, without syntax errors
 * @param nodes what was parsed of it
 * @returns `isOpen`: the value is also read by a computed key, such as `steps[input.name]`
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

/** The key after the name at an offset, as in `.key`, `?.key` and `["key"]`; the name may be in parentheses. */
function keyBehind(tokens: readonly Token[], nameAt: number): KeyPlace {
  const key = tokens.slice(tokens.findIndex(({ at }) => at === nameAt) + 1).find(({ kind }) => kind !== 'sign')
  const quotes = key?.kind === 'literal' ? 1 : 0
  return { from: (key?.at ?? 0) + quotes, to: (key?.end ?? 0) - quotes }
}
