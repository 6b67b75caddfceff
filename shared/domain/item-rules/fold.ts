import type { Grant } from '../access/permissions.ts'
import { negated, type Question } from '../item/questions/question.ts'
import { operandsOf } from './caller.ts'
import type { RuleQuestion } from './rule-question.ts'

/** A question, or its answer if already known. */
export type Folded = Question | boolean

/** The conditions under which a question is true and false for one caller; otherwise it is unknown. */
export type Forms = { isTrue: Folded; isFalse: Folded }

/**
 * Inserts the values of the caller into a question. A condition on a missing value is unknown, as in SQL: neither true nor false, also
 * under `not`.
 */
export function formsOf(question: RuleQuestion, caller: Grant): Forms {
  switch (question.kind) {
    case 'and': {
      const forms = question.of.map((one) => formsOf(one, caller))
      return { isTrue: all(forms.map(({ isTrue }) => isTrue)), isFalse: any(forms.map(({ isFalse }) => isFalse)) }
    }
    case 'or': {
      const forms = question.of.map((one) => formsOf(one, caller))
      return { isTrue: any(forms.map(({ isTrue }) => isTrue)), isFalse: all(forms.map(({ isFalse }) => isFalse)) }
    }
    case 'not': {
      const { isTrue, isFalse } = formsOf(question.of, caller)
      return { isTrue: isFalse, isFalse: isTrue }
    }
    case 'caller': {
      const operands = operandsOf(caller, question.value)
      if (operands === null) return unknown
      const isTrue: Folded = operands.length > 0 && question.ask(operands)
      return question.isNot ? { isTrue: not(isTrue), isFalse: isTrue } : { isTrue, isFalse: not(isTrue) }
    }
    default:
      return { isTrue: question, isFalse: not(question) }
  }
}

/** The forms of a question that is neither true nor false. */
export const unknown: Forms = { isTrue: false, isFalse: false }

export function not(one: Folded): Folded {
  if (typeof one === 'boolean') return !one
  return one.kind === 'not' ? one.of : negated(one)
}

export function all(questions: readonly Folded[]): Folded {
  return joined('and', questions)
}

export function any(questions: readonly Folded[]): Folded {
  return joined('or', questions)
}

/** Combines questions without constants and redundant levels, because each level nests the SQL statement deeper. */
function joined(kind: 'and' | 'or', questions: readonly Folded[]): Folded {
  const decides = kind === 'or'
  if (questions.includes(decides)) return decides
  const of = questions.flatMap((one) => {
    if (typeof one === 'boolean') return []
    return one.kind === kind ? one.of : [one]
  })
  const [only] = of
  if (!only) return !decides
  return of.length === 1 ? only : { kind, of }
}
