import { _, type Code, type CodeKeywordDefinition } from 'ajv'
import { canonicalJson } from '#shared/json/canonical.ts'
import { compareDecimals, decimalForm, isDecimalMultiple } from '#shared/json/decimal.ts'
import { type InexactJson, isRawNumber } from '#shared/json/exact.ts'
import type { StepBudget } from '../step-budget.ts'

/** The numbers of the value that is validated which no double is. They are found by who holds them: values themselves are doubles. */
export type ExactNumbers = { of: InexactJson | null }

/** Checks a value that `parent` has at `key`. */
type Check = (value: unknown, parent: object | undefined, key: string | number) => boolean

/**
 * The keywords that compare numbers, by their decimal values: for a schema or a value with a number that no double is. Numbers of the
 * schema that no double is are those of `parseExact`. They cost ten times what doubles cost, so that all others are compared as doubles.
 */
export function exactKeywords(budget: StepBudget, numbers: ExactNumbers): CodeKeywordDefinition[] {
  const checks: Check[] = []
  const keyword = (name: string, checkOf: (schema: unknown) => Check): CodeKeywordDefinition => ({
    keyword: name,
    error: { message: '', params: ({ schemaCode }) => _`{schema: ${schemaCode as Code}}` },
    code(context) {
      const { gen, data, it, schema } = context
      const number = checks.push(checkOf(schema)) - 1
      const check = _`${gen.scopeValue('func', { ref: checks })}[${number}]`
      context.fail(_`!${check}(${data}, ${it.parentData}, ${it.parentDataProperty})`)
    },
  })
  const { textOf, formOf, canonical } = exactTexts(budget, numbers)
  const memberOf = (values: readonly unknown[]): Check => {
    const texts = new Set(values.map((value) => formOf(value, undefined, '') ?? canonicalJson(value, formOf)))
    return (value, parent, key) => texts.has(canonical(value, parent, key))
  }
  const bound = (name: string, passes: (order: number) => boolean): CodeKeywordDefinition => {
    const checkOf = (limit: unknown): Check => {
      const text = schemaText(limit)
      return (value, parent, key) => passes(compareDecimals(textOf(value as number, parent, key), text))
    }
    return { ...keyword(name, checkOf), type: 'number' }
  }
  return [
    keyword('const', (value) => memberOf([value])),
    keyword('enum', (values) => memberOf(values as unknown[])),
    {
      ...keyword('uniqueItems', () => (value) => {
        const items = value as unknown[]
        return new Set(items.map((item, n) => canonical(item, items, n))).size === items.length
      }),
      type: 'array',
    },
    {
      ...keyword('multipleOf', (divisor) => {
        const by = schemaText(divisor)
        return (value, parent, key) => {
          return isDecimalMultiple(textOf(value as number, parent, key), by, budget.spend)
        }
      }),
      type: 'number',
    },
    bound('minimum', (order) => order >= 0),
    bound('maximum', (order) => order <= 0),
    bound('exclusiveMinimum', (order) => order > 0),
    bound('exclusiveMaximum', (order) => order < 0),
    // `type` has rejected numbers that are not integers as doubles.
    {
      ...keyword('whole', () => (value, parent, key) => {
        return !Number.isInteger(value) || !decimalForm(textOf(value as number, parent, key)).includes('e-')
      }),
      type: 'number',
    },
  ]
}

/** The texts of numbers, and the texts that values have when they are equal. */
function exactTexts(budget: StepBudget, numbers: ExactNumbers) {
  const textOf = (value: number, parent: object | undefined, key: string | number) => {
    const text = (parent && numbers.of?.texts.get(parent)?.get(String(key))) ?? doubleText(value)
    budget.spend(1 + text.length / 4)
    return text
  }
  const formOf = (value: unknown, parent: object | undefined, key: string | number) => {
    if (isRawNumber(value)) return decimalForm(value.rawJSON)
    return typeof value === 'number' ? decimalForm(textOf(value, parent, key)) : null
  }
  const canonical: (...at: Parameters<Check>) => string = (value, parent, key) => {
    const text = formOf(value, parent, key) ?? canonicalJson(value, formOf)
    budget.spend(text.length / 4)
    return text
  }
  return { textOf, formOf, canonical }
}

function schemaText(number: unknown): string {
  return isRawNumber(number) ? number.rawJSON : doubleText(number as number)
}

/** A number beyond all doubles, of a value without its text. */
function doubleText(number: number): string {
  return Number.isFinite(number) ? String(number) : number > 0 ? '1e400' : '-1e400'
}
