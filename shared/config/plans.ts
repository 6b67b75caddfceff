import { isObject } from '#shared/json/is-object.ts'
import type { Rule } from './rules.ts'

/** A price plan; null is unlimited. */
export type Plan = { name: string; maxWebhooks: number | null }

/** The plan of a new self-hosted account (contract 2.6). */
export const startingPlan = 'scale'

/** Plans by id; an override replaces all of them. */
export const plansRule: Rule<Record<string, Plan>> = {
  must: `plans by id, including ${startingPlan}, each {"name": text, "maxWebhooks": whole number or null}`,
  fromText: parseOrUndefined,
  accepts: (value): value is Record<string, Plan> =>
    isObject(value) && startingPlan in value && Object.entries(value).every(([id, plan]) => isId(id) && isPlan(plan)),
}

function isId(id: string): boolean {
  return /^[a-z0-9-]{1,20}$/.test(id)
}

function isPlan(value: unknown): value is Plan {
  if (!isObject(value)) return false
  const { name, maxWebhooks, ...unknown } = value
  const limited = Number.isSafeInteger(maxWebhooks) && Number(maxWebhooks) >= 0
  return (
    typeof name === 'string' && name !== '' && (limited || maxWebhooks === null) && Object.keys(unknown).length === 0
  )
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
