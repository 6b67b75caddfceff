import type { Lambda, Node } from './syntax.ts'

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
  if (node.kind === 'lambda') return !node.parameters.includes(name) && isNamed(node.body, name)
  return node.kind === 'name' ? node.name === name : partsOf(node).some((part) => isNamed(part, name))
}

function partsOf(node: Node): readonly (Node | Lambda)[] {
  return node.kind === 'name' ? [] : node.kind === 'call' ? node.args : childrenOf(node)
}

/** A member that an expression reads of a name, such as `steps.a`, and where. */
export type ReadMember = { key: string; at: number }

/** The members that an expression reads of a name by keys that stand in its text; parameters of functions hide the name. */
export function membersRead(node: Node | Lambda, name: string): ReadMember[] {
  if (node.kind === 'lambda') return node.parameters.includes(name) ? [] : membersRead(node.body, name)
  const below = partsOf(node).flatMap((part) => membersRead(part, name))
  const key = keyOf(node, name)
  return key === null ? below : [{ key, at: node.at }, ...below]
}

function keyOf(node: Node, name: string): string | null {
  if ((node.kind !== 'member' && node.kind !== 'element') || node.of.kind !== 'name' || node.of.name !== name)
    return null
  if (node.kind === 'member') return node.key
  return node.key.kind === 'literal' && typeof node.key.value === 'string' ? node.key.value : null
}
