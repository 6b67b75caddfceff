import { type AccessCall, accessCalls } from './calls.ts'
import { type AccessRequest, compileRule, concerns, concernsAction } from './compiled-rules.ts'
import type { PermissionRule } from './permission-rule.ts'
import { ownerForm } from './permissions.ts'
import { requestFor } from './verdict.ts'

/**
 * The positions of rules that covered more until version 0.3, when a selector with `*` counted as absent. Now an allow rule covers only
 * resources that have one of its selectors (contract 3).
 */
export function narrowedRules(rules: readonly PermissionRule[]): number[] {
  return rules.flatMap((rule, position) => {
    const compiled = compileRule(rule)
    const isLost = (request: AccessRequest) => concernsAction(compiled, request) && !concerns(compiled, request)
    return compiled.kinds !== null && accessCalls.flatMap(requestsOf).some(isLost) ? [position] : []
  })
}

const something = {
  list: { id: 'list', activated: true, indexable: true },
  item: { id: 'item', ownerId: null, activated: true },
  indexId: 'index',
  flowId: 'flow',
  identity: { id: 'identity', group: null },
}

/** The access requests of a call, including its form for owners. */
function requestsOf(call: AccessCall): AccessRequest[] {
  return call.needs.flatMap((need) => {
    const request = requestFor(call, need, something)
    const action = ownerForm(need)
    return action ? [request, { ...request, action, identityId: 'identity', group: null }] : [request]
  })
}
