import type { Index } from '#client/src/types/resources.ts'
import { isItemFilter } from '#shared/domain/item/filters.ts'
import { isGroup } from '#shared/domain/item/questions/where.ts'
import { type CallerValue, callerValues, isCallerValue } from '#shared/domain/item-rules/caller.ts'
import { ruleFields } from '#shared/domain/item-rules/rule-question.ts'
import { indexKey } from '#shared/domain/list/index-names.ts'
import { servesRules } from '#shared/domain/list/serves-rules.ts'
import { isObject } from '#shared/json/is-object.ts'
import {
  type Filter,
  type FilterField,
  filterFields,
  filterProblem,
  isContrary,
  printFilter,
  readFilter,
} from '../../items/view/filters.ts'

/** The conditions of a rule in the form of the API. */
export type Where = Readonly<Record<string, unknown>>

/**
 * One condition, all of which must be met: a filter on a field, or the JSON text of an object of conditions for anything else, such as
 * `or`.
 */
export type ConditionRow = { kind: 'filter'; field: FilterField; filter: Filter } | { kind: 'json'; text: string }

/**
 * The fields for the conditions of a rule: the fields of items that rules can check, and the indexes that all of its lists have.
 * @param lists the indexes of each list
 */
export function ruleFilterFields(lists: readonly (readonly Index[])[]): FilterField[] {
  const [first = [], ...others] = lists
  const common = first.filter((index) => others.every((indexes) => indexes.some((one) => isSame(one, index))))
  return filterFields(common).flatMap(({ problem: _, ...field }): FilterField[] => {
    if (isRuleField(field.name)) return [field]
    const index = common.find(({ pathName }) => field.name === `index.${pathName}`)
    return index ? [{ ...field, name: nameOf(index), ...problemOfIndex(index) }] : []
  })
}

const isRuleField = (name: string) => (ruleFields as readonly string[]).includes(name)

function isSame(one: Index, other: Index): boolean {
  return one.pathName === other.pathName && one.valueType === other.valueType && servesRules(one)
}

/** An index with the name of a field has the prefix `index.`. */
const nameOf = ({ pathName }: Index) => (isItemFilter(pathName) || isGroup(pathName) ? `index.${pathName}` : pathName)

/** Why an index cannot be used. A build is not a reason: the rule can be saved, and pages fail with 409 until the build ends. */
function problemOfIndex(index: Index): { problem?: string } {
  if (servesRules(index)) return {}
  return { problem: index.activated ? 'its index does not filter' : 'its index is switched off' }
}

/** Reads conditions as rows, in their order. */
export function readRows(where: Where, fields: readonly FilterField[]): ConditionRow[] {
  return Object.entries(where).flatMap(([name, value]) => {
    const field = fields.find(
      (one) =>
        one.name === name || (!isGroup(name) && one.pointer !== undefined && indexKey(one.name) === indexKey(name)),
    )
    const sources = Array.isArray(value) ? value : [value]
    const rows = field ? sources.map((source) => readRow(field, source)) : [null]
    return rows.every((row) => row !== null)
      ? rows
      : [{ kind: 'json' as const, text: JSON.stringify({ [name]: value }) }]
  })
}

/** @returns null if a row cannot show the value */
function readRow(field: FilterField, value: unknown): ConditionRow | null {
  if (value !== null && typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return null
  const source = String(value)
  const filter = field.kind === 'tags' ? readTags(field, source) : readFilter(field, source)
  return { kind: 'filter', field, filter }
}

/** Tags have a prefix only if a value of the caller replaces them: this removes it. */
function readTags(field: FilterField, source: string): Filter {
  return readFilter(field, source.replace(/^(not:)?(?:in|eq):(?=\$(?!\$))/, '$1'))
}

/** The conditions of rows, or the problem of one. @returns `where` undefined: there are no conditions */
export function printRows(rows: readonly ConditionRow[]): { where: Where | undefined } | { problem: string } {
  const parts: Where[] = []
  for (const [n, row] of rows.entries()) {
    const problem = rowProblem(row)
    if (problem !== null) return { problem: `Condition ${n + 1} ${problem}.` }
    parts.push(row.kind === 'json' ? JSON.parse(row.text) : { [row.field.name]: printRow(row) })
  }
  return { where: parts.length > 0 ? together(parts) : undefined }
}

type FilterRow = Extract<ConditionRow, { kind: 'filter' }>

function printRow({ field, filter }: FilterRow): string {
  const isOfCaller = isCallerValue(filter.value)
  if (field.kind !== 'tags' || !isOfCaller) return printFilter(field, filter)
  return `${isContrary(filter.operator) ? 'not:' : ''}in:${filter.value}`
}

function rowProblem(row: ConditionRow): string | null {
  if (row.kind === 'json')
    return isObject(parsed(row.text)) ? null : 'must be JSON, such as {"or": [{"status": "eq:open"}]}'
  const { field, filter } = row
  // A placeholder for a value of the caller is validated with the rule.
  return isCallerValue(filter.value) && field.problem === undefined ? null : problemOf(field, filter)
}

function problemOf(field: FilterField, filter: Filter): string | null {
  const problem = filterProblem(field, filter)
  return problem && `on ${field.label} ${problem}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Combines conditions in one object. A repeated name gets an array; a repeated group such as `or` goes into `and`. */
function together(parts: readonly Where[]): Where {
  const all: Record<string, unknown> = {}
  const more: Where[] = []
  for (const [name, value] of parts.flatMap((part) => Object.entries(part))) {
    if (!Object.hasOwn(all, name)) all[name] = value
    else if (name === 'and') all[name] = [all[name], value].flat()
    else if (isGroup(name)) more.push({ [name]: value })
    else all[name] = [all[name], value].flat()
  }
  if (more.length > 0) all.and = [...((all.and as Where[] | undefined) ?? []), ...more]
  return all
}

/** The values of the caller that a condition on a field with this operator can use (contract 1.4). */
export function callerValuesFor({ kind }: FilterField, operator: string): CallerValue[] {
  const values = Object.entries(callerValues) as [CallerValue, 'text' | 'time'][]
  if (kind === 'date') return /^(not-)?(is|on|in)$/.test(operator) ? [] : named(values, 'time')
  const compares = kind === 'tags' || (kind === 'text' && /^(not-)?(is|in)$/.test(operator))
  return compares ? named(values, 'text') : []
}

const named = (values: readonly [CallerValue, string][], kind: string) =>
  values.flatMap(([name, one]) => (one === kind ? [name] : []))
