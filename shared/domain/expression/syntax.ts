import type { RawNumber } from './value.ts'

/** A parsed expression. `at` is its offset in the text: of an operation the operator, of everything else the first character. */
export type Node = { at: number } & (
  | { kind: 'literal'; value: null | boolean | number | string | RawNumber }
  | { kind: 'name'; name: string }
  | { kind: 'list'; entries: readonly ListEntry[] }
  | { kind: 'object'; members: readonly ObjectMember[] }
  | { kind: 'member'; of: Node; key: string; isOptional: boolean }
  | { kind: 'element'; of: Node; key: Node; isOptional: boolean }
  | { kind: 'call'; name: string; args: readonly (Node | Lambda)[] }
  | { kind: 'unary'; sign: UnarySign; of: Node }
  | { kind: 'binary'; sign: BinarySign; left: Node; right: Node }
  | { kind: 'choice'; condition: Node; then: Node; otherwise: Node }
)

export type UnarySign = '!' | '-'
export type BinarySign = keyof typeof precedence

/** The precedence of binary operators: the greater binds more tightly. */
export const precedence = {
  '??': 1,
  '||': 2,
  '&&': 3,
  '==': 4,
  '!=': 4,
  '<': 5,
  '<=': 5,
  '>': 5,
  '>=': 5,
  in: 5,
  'not in': 5,
  '+': 6,
  '-': 6,
  '*': 7,
  '/': 7,
  '%': 7,
} as const

/** `isSpread`: replaced by the elements of the list, or the members of the object. */
export type ListEntry = { value: Node; isSpread: boolean }
export type ObjectMember = { key: string | Node; value: Node } | { spread: Node }

/** A function that `map` and similar functions call for each element. */
export type Lambda = { kind: 'lambda'; at: number; parameters: readonly string[]; body: Node }

/** A value (`let`) or function defined in the helpers, a text that several expressions share. */
export type Helper = { name: string; at: number; parameters: readonly string[] | null; body: Node; text: string }

/** The only key of an object that is a filter in a condition: `{filter: "gte:5"}`. */
export const filterKey = 'filter'
