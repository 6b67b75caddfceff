import { isFilteredField, isItemFilter, itemFilters } from '../item/filters.ts'
import { textKeyFilter } from '../item/questions/key-filter.ts'
import { readNegation } from '../item/questions/negation.ts'
import type { Combined, Leaf, Question } from '../item/questions/question.ts'
import { type LeafReader, readConditions } from '../item/questions/where.ts'
import { readFieldLeaf, readIndexLeaf } from '../item/questions/where-leaf.ts'
import type { ListIndex } from '../list/index-fields.ts'
import { foldTags, isTag } from '../tags.ts'
import { caseFold } from '../text/case-fold.ts'
import { type PrefixedKind, readPrefix } from '../text/filter-prefixes.ts'
import { type CallerValue, callerValueNames, callerValues, isCallerValue } from './caller.ts'

/** A condition on a value of the caller. */
export type CallerLeaf = {
  kind: 'caller'
  value: CallerValue
  isNot: boolean
  /** Builds the condition from the caller's value: one text or more. */
  ask(operands: readonly string[]): Question
}

/** The conditions of a rule on an item, before the caller is known. */
export type RuleQuestion = Combined<Leaf | CallerLeaf>

type Source = Parameters<LeafReader>[1]
type Read = RuleQuestion | { error: string }

/**
 * Reads the conditions of a rule (contract 1.4): conditions of `where` on fields and indexes, in which values of the caller are allowed.
 * @param path of the conditions, dotted
 * @param indexOf returns the index of a name, or an error
 */
export function readRuleQuestion(
  conditions: unknown,
  path: string,
  indexOf: (name: string) => ListIndex | { error: string },
): ReturnType<typeof readConditions<Leaf | CallerLeaf>> {
  return readConditions<Leaf | CallerLeaf>(conditions, path, (name, source) => readLeaf(name, source, indexOf))
}

/** The conditions on fields that a rule may have. */
export const ruleFields = ['tagged', 'createdAt', 'updatedAt', 'readonly', 'size'] as const
type RuleField = (typeof ruleFields)[number]

const isRuleField = (name: string): name is RuleField => (ruleFields as readonly string[]).includes(name)

function readLeaf(name: string, source: Source, indexOf: (name: string) => ListIndex | { error: string }): Read {
  if (isRuleField(name)) {
    if (!isFilteredField(name)) return { error: 'is not known' }
    const literal = (text: Source) => readFieldLeaf(name, text)
    return readOperand(source, { kind: itemFilters[name].kind, literal, ask: asksField(name) })
  }
  if (isItemFilter(name))
    return { error: `is not a condition of a rule; the conditions on fields are ${ruleFields.join(', ')}` }
  const index = indexOf(name)
  if ('error' in index) return index
  const kind = index.valueType === 'string' ? 'text' : index.valueType
  return readOperand(source, { kind, literal: (text) => readIndexLeaf(index, text), ask: asksIndex(index) })
}

type Asked = (operands: readonly string[], prefix: string) => Question | { error: string }

function asksField(name: RuleField): Asked {
  return (operands, prefix) => {
    if (name === 'tagged') return { kind: 'tagged', anyOf: foldTags(operands.filter(isTag)) }
    return readFieldLeaf(name, prefix + operands[0]) as Question
  }
}

function asksIndex(index: ListIndex): Asked {
  return (operands, prefix) => {
    if (index.valueType !== 'string') return readIndexLeaf(index, prefix + operands[0]) as Question
    // Caller values are literals: prefixes in them are not parsed.
    const filter = textKeyFilter({ kind: 'in', texts: operands.map(caseFold) })
    return { kind: 'value', indexId: index.valuesId, ...filter, ...(index.arrays && { arrays: true }) }
  }
}

type Operand = {
  kind: PrefixedKind | 'flag' | 'tags'
  literal(source: Source): Question | { error: string }
  ask: Asked
}

/** Reads a caller value or a literal, in which `$$` stands for a dollar sign. */
function readOperand(source: Source, { kind, literal, ask }: Operand): Read {
  if (typeof source !== 'string' || !source.includes('$')) return literal(source)
  const { isNot, rest } = readNegation(source)
  const { comparison, rest: operand } = readPrefix(kind === 'flag' || kind === 'tags' ? 'id' : kind, rest)
  const prefix = rest.slice(0, rest.length - operand.length)
  if (isCallerValue(operand)) {
    const error = placeError(operand, { kind, prefix })
    if (error) return { error }
    return { kind: 'caller', value: operand, isNot, ask: (operands) => ask(operands, prefix) as Question }
  }
  const parts = comparison === 'in' ? operand.split(',') : [operand]
  const unknown = parts.find((part) => part.startsWith('$') && !part.startsWith('$$'))
  if (unknown !== undefined) return { error: unknownValue(parts.length) }
  const text = parts.map((part) => (part.startsWith('$$') ? part.slice(1) : part)).join(',')
  return literal(`${isNot ? 'not:' : ''}${prefix}${text}`)
}

function placeError(value: CallerValue, { kind, prefix }: { kind: Operand['kind']; prefix: string }): string | null {
  if (callerValues[value] === 'time') {
    const fits = kind === 'date' && timePrefixes.includes(prefix)
    return fits ? null : `can have ${value} only after one of ${timePrefixes.join(', ')}, in a condition on a date`
  }
  const fits = (kind === 'text' || kind === 'tags') && (prefix === 'eq:' || prefix === 'in:')
  return fits ? null : `can have ${value} only after eq: or in:, in a condition on a text or tags`
}

/** The prefixes that compare with a time. Equality with the time of a request would be true only by chance. */
const timePrefixes: readonly string[] = ['lt:', 'lte:', 'gt:', 'gte:', 'before:', 'after:']

function unknownValue(parts: number): string {
  const alone = parts > 1 ? ' (and no other value after in:)' : ''
  return `must have one of ${callerValueNames.join(', ')} after $${alone}; write $$ for a dollar sign`
}
