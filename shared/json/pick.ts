import type { PointerTree } from './pointer-tree.ts'
import { JsonTree } from './text/tree.ts'

/**
 * The text with nothing but what pointers pick, where it was: the objects around it in their order, and in an array null for each element
 * before it, so that its pointer stays the same. What is kept keeps its text. An object or array of which nothing is kept is empty, any
 * other value null.
 */
export function pickFrom(text: string, pick: PointerTree | 'whole'): string {
  if (pick === 'whole') return text
  const tree = new JsonTree(text)
  return pickAt(tree, 0, pick) ?? { '{': '{}', '[': '[]' }[tree.firstOf(0)] ?? 'null'
}

/** @returns null when nothing of the value is picked */
function pickAt(tree: JsonTree, node: number, pick: PointerTree): string | null {
  const first = tree.firstOf(node)
  if (first === '{') return pickMembers(tree, node, pick)
  return first === '[' ? pickElements(tree, node, pick) : null
}

function pickMembers(tree: JsonTree, node: number, pick: PointerTree): string | null {
  const members: string[] = []
  for (const child of tree.childrenOf(node)) {
    const picked = pick.get(tree.keyOf(child))
    if (picked === undefined) continue
    const text = picked === 'whole' ? tree.textOf(child) : pickAt(tree, child, picked)
    if (text !== null) members.push(`${tree.keyTextOf(child)}:${text}`)
  }
  return members.length > 0 ? `{${members.join(',')}}` : null
}

function pickElements(tree: JsonTree, node: number, pick: PointerTree): string | null {
  const elements: string[] = []
  let kept = 0
  let position = 0
  for (const child of tree.childrenOf(node)) {
    const picked = pick.get(String(position++))
    const text = picked === 'whole' ? tree.textOf(child) : picked ? pickAt(tree, child, picked) : null
    elements.push(text ?? 'null')
    if (text !== null) kept = position
  }
  return kept > 0 ? `[${elements.slice(0, kept).join(',')}]` : null
}
