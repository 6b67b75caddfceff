import { childPointer } from '../pointer.ts'
import { elementsOf, membersOf, sharedKeys } from '../text/parts.ts'
import { type AlignBudget, alignBudget, alignElements } from './align.ts'

/**
 * What is different at a pointer; `from` and `to` are texts. The pointer of what was removed is one into the earlier value, all others
 * are into the later. `keys`: the same keys in another order, or spelled with other escapes.
 */
export type Change =
  | { kind: 'added'; pointer: string; to: string }
  | { kind: 'removed'; pointer: string; from: string }
  | { kind: 'changed'; pointer: string; from: string; to: string }
  | { kind: 'keys'; pointer: string }

/**
 * The changes that turn one JSON text into another, in the order of the texts: objects by key, arrays by their longest common
 * sequence. Texts are compared, not values: `1.0` is not `1`. Only equal texts have no change between them.
 * @param before compact, valid JSON without repeated keys, and so `after`
 */
export function diffJson(before: string, after: string): Change[] {
  const changes: Change[] = []
  compare({ before, after, pointer: '' }, { changes, budget: alignBudget() })
  return changes
}

type Texts = { before: string; after: string; pointer: string }
type Found = { changes: Change[]; budget: AlignBudget }

function compare({ before, after, pointer }: Texts, found: Found): void {
  if (before === after) return
  const kind = after[0]
  if (kind !== before[0] || (kind !== '{' && kind !== '[')) {
    found.changes.push({ kind: 'changed', pointer, from: before, to: after })
  } else if (kind === '{') compareObjects({ before, after, pointer }, found)
  else compareArrays({ before, after, pointer }, found)
}

function compareObjects({ before, after, pointer }: Texts, found: Found): void {
  const earlier = membersOf(before)
  const later = membersOf(after)
  for (const [key, { value }] of earlier) {
    if (!later.has(key)) found.changes.push({ kind: 'removed', pointer: childPointer(pointer, key), from: value })
  }
  for (const [key, { value }] of later) {
    const old = earlier.get(key)
    const at = childPointer(pointer, key)
    if (old) compare({ before: old.value, after: value, pointer: at }, found)
    else found.changes.push({ kind: 'added', pointer: at, to: value })
  }
  if (sharedKeys(earlier, later) !== sharedKeys(later, earlier)) found.changes.push({ kind: 'keys', pointer })
}

function compareArrays({ before, after, pointer }: Texts, found: Found): void {
  const earlier = elementsOf(before)
  const later = elementsOf(after)
  const pairs = alignElements(earlier, later, found.budget)
  let last = { before: 0, after: 0 }
  for (const pair of [...pairs, { before: earlier.length, after: later.length }]) {
    for (let n = last.before; n < pair.before; n++) {
      found.changes.push({ kind: 'removed', pointer: childPointer(pointer, n), from: earlier[n] ?? '' })
    }
    for (let n = last.after; n < pair.after; n++) {
      found.changes.push({ kind: 'added', pointer: childPointer(pointer, n), to: later[n] ?? '' })
    }
    const [old, now] = [earlier[pair.before], later[pair.after]]
    if (old !== undefined && now !== undefined) {
      compare({ before: old, after: now, pointer: childPointer(pointer, pair.after) }, found)
    }
    last = { before: pair.before + 1, after: pair.after + 1 }
  }
}
