import {
  _,
  type Code,
  type CodeKeywordDefinition,
  type FuncKeywordDefinition,
  type SchemaValidateFunction,
  type ValidateFunction,
} from 'ajv'
import { canonicalJson } from '#shared/json/canonical.ts'
import { isMultipleOf } from '#shared/json/decimal.ts'
import { isObject } from '#shared/json/is-object.ts'
import type { StepBudget } from '../step-budget.ts'

type Check = (value: unknown) => boolean

/**
 * Keywords of draft-07 in place of ajv's own: its `uniqueItems` is quadratic, its equality throws on keys such as `valueOf`
 * and takes time of its own for every member of an `enum`, its `multipleOf` divides doubles.
 */
export function draft07Keywords(budget: StepBudget): CodeKeywordDefinition[] {
  const checks: Check[] = []
  const canonical = (value: unknown) => {
    const text = canonicalJson(value)
    budget.spend(text.length / 4)
    return text
  }
  /** All checks are one value for the compiled code: ajv takes time quadratic in the number of values. */
  const keyword = (name: string, checkOf: (schema: unknown) => Check): CodeKeywordDefinition => ({
    keyword: name,
    error: { message: '', params: ({ schemaCode }) => _`{schema: ${schemaCode as Code}}` },
    code(context) {
      const number = checks.push(checkOf(context.schema)) - 1
      context.fail(_`!${context.gen.scopeValue('func', { ref: checks })}[${number}](${context.data})`)
    },
  })
  return [
    keyword('const', (value) => memberCheck([value], canonical)),
    keyword('enum', (values) => memberCheck(values as unknown[], canonical)),
    { ...keyword('uniqueItems', () => uniqueCheck(canonical, budget)), type: 'array' },
    { ...keyword('multipleOf', (divisor) => multipleCheck(divisor as number, budget)), type: 'number' },
  ]
}

type Canonical = (value: unknown) => string

function memberCheck(values: readonly unknown[], canonical: Canonical): Check {
  const scalars = new Set(values.filter(isScalar))
  const others = new Set(values.filter((value) => !isScalar(value)).map((value) => canonicalJson(value)))
  return (value) => (isScalar(value) ? scalars.has(value) : others.size > 0 && others.has(canonical(value)))
}

function uniqueCheck(canonical: Canonical, budget: StepBudget): Check {
  return (value) => {
    const items = value as unknown[]
    budget.spend(items.length)
    const scalars = items.filter(isScalar)
    const others = items.filter((item) => !isScalar(item)).map(canonical)
    return new Set(scalars).size === scalars.length && new Set(others).size === others.length
  }
}

function multipleCheck(divisor: number, budget: StepBudget): Check {
  return (value) => {
    // Decimals are computed with big integers of up to 600 digits.
    if (!Number.isSafeInteger(value) || !Number.isSafeInteger(divisor)) budget.spend(10)
    return isMultipleOf(value as number, divisor)
  }
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

/** The cost of one visit of a schema: `own` for its keywords, more for a text that it reads or a value it walks. */
export type Cost = { own: number; readsText: boolean; walksKeys: boolean; walksItems: boolean }

/** A keyword of ours in every lowered schema, so that each visit is counted. */
export function costKeyword(budget: StepBudget): CodeKeywordDefinition {
  const visit = (own: number) => budget.spend(own)
  const visitText = (value: unknown) => {
    if (typeof value === 'string') budget.spend(value.length / 4)
  }
  const visitKeys = (value: unknown) => {
    if (isObject(value)) budget.spend(Object.keys(value).length * 2)
  }
  // An item on its own costs something: validation by an empty schema, or one more error.
  const visitItems = (value: unknown) => {
    if (Array.isArray(value)) budget.spend(value.length)
  }
  return {
    keyword: 'cost',
    code({ gen, data, schema }) {
      const { own, readsText, walksKeys, walksItems } = schema as Cost
      gen.code(_`${gen.scopeValue('func', { ref: visit })}(${own})`)
      if (readsText) gen.code(_`${gen.scopeValue('func', { ref: visitText })}(${data})`)
      if (walksKeys) gen.code(_`${gen.scopeValue('func', { ref: visitKeys })}(${data})`)
      if (walksItems) gen.code(_`${gen.scopeValue('func', { ref: visitItems })}(${data})`)
    },
  }
}

/**
 * A keyword of ours in place of `$ref`: the number of a lowered schema, looked up when it is called. So ajv resolves no
 * reference, each schema is compiled once however many refer to it, and recursion is bounded.
 */
export function callKeyword(budget: StepBudget, functions: readonly ValidateFunction[]): FuncKeywordDefinition {
  const validate: SchemaValidateFunction = (number: number, value: unknown, _parent, context) => {
    const called = functions[number]
    if (!called) throw new Error(`there is no schema ${number}`)
    budget.enter()
    const valid = called(value, context) === true
    budget.leave()
    validate.errors = called.errors ?? []
    budget.addErrors(validate.errors.length)
    return valid
  }
  return { keyword: 'call', validate, errors: 'full' }
}
