import { type Plan, planLimits } from '#shared/domain/plan/plan.ts'
import { isObject } from '#shared/json/is-object.ts'
import type { Rule } from './rules.ts'

/** The plan of a new self-hosted account (contract 2.6). */
export const startingPlan = 'scale'

/** Plans by id; an override replaces all of them. */
export const plansRule: Rule<Record<string, Plan>> = {
  must: `plans by id, including ${startingPlan}, each {"name": text} and any of the limits that docs/operating.md lists: whole numbers, or null for no limit`,
  fromText: parseOrUndefined,
  accepts: (value): value is Record<string, Plan> =>
    isObject(value) && startingPlan in value && Object.entries(value).every(([id, plan]) => isId(id) && isPlan(plan)),
}

function isId(id: string): boolean {
  return /^[a-z0-9-]{1,20}$/.test(id)
}

function isPlan(value: unknown): value is Plan {
  if (!isObject(value)) return false
  const { name, perIdentity = null, ...limits } = value
  if (typeof name !== 'string' || name === '' || (perIdentity !== null && !isRate(perIdentity))) return false
  return Object.entries(limits).every(([limit, max]) => isLimit(limit, max))
}

/** Of one identity. */
function isRate(value: unknown): boolean {
  if (!isObject(value)) return false
  const { maxRequestsPerMinute: max, ...unknown } = value
  return Object.keys(unknown).length === 0 && Number.isSafeInteger(max) && Number(max) >= 1
}

function isLimit(name: string, max: unknown): boolean {
  if (!Object.hasOwn(planLimits, name)) return false
  const [least, greatest] = planLimits[name as keyof typeof planLimits]
  return max === null || (Number.isSafeInteger(max) && Number(max) >= least && Number(max) <= greatest)
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
