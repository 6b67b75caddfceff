import { parsePointer } from './pointer.ts'

/** Pointers as a tree of steps: each leads to a whole value, or to further steps. */
export type PointerTree = ReadonlyMap<string, PointerTree | 'whole'>

type Branch = Map<string, Branch | 'whole'>

/** The tree of pointers; 'whole' where one is that of the whole text. One inside of what another one means adds nothing. */
export function pointerTree(pointers: readonly string[]): PointerTree | 'whole' {
  const root: Branch = new Map()
  for (const pointer of pointers) {
    const steps = parsePointer(pointer) ?? []
    const last = steps.pop()
    if (last === undefined) return 'whole'
    branchAt(root, steps)?.set(last, 'whole')
  }
  return root
}

/** The branch at these steps, created where it is missing; null when what encloses it is meant as a whole. */
function branchAt(root: Branch, steps: readonly string[]): Branch | null {
  let branch = root
  for (const step of steps) {
    const next = branch.get(step) ?? new Map()
    if (next === 'whole') return null
    branch.set(step, next)
    branch = next
  }
  return branch
}
