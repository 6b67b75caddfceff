import { type Plan, type PlanLimit, planLimits } from '#shared/domain/plan/plan.ts'
import { nearest } from '#shared/domain/text/nearest.ts'
import { isObject } from '#shared/json/is-object.ts'
import type { Rule, WrongPart } from './rules.ts'

/** The plan of a new self-hosted account (contract 2.6). */
export const startingPlan = 'scale'

/** Plans by id; an override replaces all of them. */
export const plansRule: Rule<Record<string, Plan>> = {
  must: `plans by id, including ${startingPlan}, each {"name": text} and any of the limits that docs/operating.md lists: whole numbers, or null for no limit`,
  fromText: parseOrUndefined,
  accepts: (value): value is Record<string, Plan> =>
    isObject(value) && startingPlan in value && wrongPart(value) === null,
  wrongPart: (value) => (isObject(value) ? wrongPart(value) : null),
}

/** The form of a plan's id; the schema of the chart's values has the same. */
export const planIdForm = /^[a-z0-9-]{1,20}$/

function wrongPart(plans: Record<string, unknown>): WrongPart | null {
  return firstOf(plans, (id, plan) => {
    if (!planIdForm.test(id))
      return { path: id, value: plan, rule: 'must have an id of 1 to 20 lower-case letters, digits and hyphens' }
    if (!isObject(plan)) return { path: id, value: plan, rule: 'must be an object with a name and limits' }
    const { name, ...limits } = plan
    if (typeof name !== 'string' || name === '')
      return { path: `${id}.name`, value: name, rule: 'must be a non-empty string' }
    return firstOf(limits, (limit, max) => wrongLimit(`${id}.`, limit, max))
  })
}

function wrongLimit(prefix: string, name: string, max: unknown): WrongPart | null {
  if (name === 'perIdentity') return max === null ? null : wrongRate(`${prefix}perIdentity`, max)
  if (!Object.hasOwn(planLimits, name))
    return unknownLimit({ prefix, name, max }, [...Object.keys(planLimits), 'perIdentity'])
  const bounds = planLimits[name as PlanLimit]
  if (max === null || isWithin(max, bounds)) return null
  return { path: prefix + name, value: max, rule: `must be ${describe(bounds)}, or null for no limit` }
}

/** Of one identity. */
function wrongRate(path: string, value: unknown): WrongPart | null {
  const name = 'maxRequestsPerMinute'
  if (!isObject(value)) return { path, value, rule: `must be an object with ${name}, or null for no limit` }
  const { [name]: max, ...unknown } = value
  const bounds = planLimits[name]
  if (!isWithin(max, bounds)) return { path: `${path}.${name}`, value: max, rule: `must be ${describe(bounds)}` }
  return firstOf(unknown, (other, given) => unknownLimit({ prefix: `${path}.`, name: other, max: given }, [name]))
}

function unknownLimit(of: { prefix: string; name: string; max: unknown }, known: readonly string[]): WrongPart {
  const { prefix, name, max } = of
  const near = nearest(name, known)
  return { path: prefix + name, value: max, rule: 'is not a known limit', ...(near && { nearest: prefix + near }) }
}

type Bounds = readonly [least: number, greatest: number]

function isWithin(max: unknown, [least, greatest]: Bounds): boolean {
  return Number.isSafeInteger(max) && Number(max) >= least && Number(max) <= greatest
}

function describe([least, greatest]: Bounds): string {
  return `a whole number from ${least}${greatest === Number.MAX_SAFE_INTEGER ? '' : ` to ${greatest}`}`
}

function firstOf(
  of: Record<string, unknown>,
  wrong: (name: string, value: unknown) => WrongPart | null,
): WrongPart | null {
  for (const [name, value] of Object.entries(of)) {
    const found = wrong(name, value)
    if (found) return found
  }
  return null
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
