import type { Action, ResourceType } from '#shared/domain/access/permission-rule.ts'
import type { AccountContents } from './account-contents.ts'
import type { Actor } from './actors.ts'
import { knowsItem, mayDo, mayEverDo, type Resource, rulesAllow, type Token } from './contract-rules.ts'
import type { Need, Scenario } from './scenario.ts'
import type { Target } from './targets.ts'

/** One request, and the data that decide about it. */
export type AccessCase = {
  actor: Actor
  account: AccountContents
  route: { method: string; path: string }
  scenario: Scenario
  target: Target
}

const noCredentials = '401 USER_NOT_AUTHENTICATED'
const noIdentity = '401 IDENTITY_NOT_AUTHENTICATED'
const forbidden = '403 TOKEN_NOT_AUTHORIZED'
const missing = '404 REQUESTED_ENTITY_NOT_FOUND'

/** Status and error name that the contract requires (1.2 and 3), from its sentences. */
export function expectedAnswer(access: AccessCase): string {
  const { actor, account, route, scenario, target } = access
  const success = scenario.answer ?? (route.method === 'POST' ? '201' : '200')
  if (scenario.about === 'session') return endOfSession(actor, success)
  if (scenario.needs === 'public') return success
  if (actor.mode === 'anonymous' || (actor.mode === 'token' && actor.dead)) return noCredentials
  const rejection = rejectedIdentity(access)
  if (rejection) return rejection
  if (actor.mode === 'user') return target.is === 'missing' ? missing : (scenario.userAnswer ?? success)
  if (scenario.needs === 'user') return '403 USER_MODE_REQUIRED'
  if (scenario.identity === 'any') return success
  if (scenario.identity === 'own') return isOwn(access) ? success : missing
  if (scenario.needs === 'authenticated') return success
  const identity = actor.as && scenario.identity !== 'ignored' ? account[actor.as].id : null
  return rejectedToken(access, { rules: actor.rules(account), identity }, scenario.needs) ?? success
}

/** The route reads the credential only to end it, whether it is still valid or not. */
function endOfSession({ mode }: Actor, success: string): string {
  return mode === 'user' ? success : mode === 'anonymous' ? noCredentials : '403 USER_MODE_REQUIRED'
}

/** "A session works with any live token of the account that may `authenticate`." */
function rejectedIdentity({ actor, account, scenario }: AccessCase): string | null {
  if (scenario.identity === 'ignored') return null
  const isNeeded = scenario.identity === 'own' || scenario.identity === 'any'
  if (actor.mode !== 'token' || actor.as === undefined) return isNeeded ? noIdentity : null
  const rules = actor.rules(account)
  const authenticate = ['authenticate', 'identity'] as const
  if (scenario.identity === 'any' && mayEverDo({ rules, identity: null }, authenticate)) return null
  const isSignedIn = scenario.identity !== 'ended'
  if (isSignedIn && rulesAllow(rules, authenticate, { identity: account[actor.as].id })) return null
  return mayEverDo({ rules, identity: null }, authenticate) ? noIdentity : forbidden
}

/** A session named in a path is Ada's. */
function isOwn({ actor, route, target }: AccessCase): boolean {
  if (!route.path.includes('{')) return true
  return target.is === 'there' && actor.mode === 'token' && actor.as === 'ada'
}

/**
 * "Within the account a token gets 403 when no rule lets it do this action on any resource of that type, or when it may view
 * the resource but not do this; 404 in every other case."
 */
function rejectedToken(access: AccessCase, token: Token, needs: readonly Need[]): string | null {
  const { route, scenario } = access
  if (needs.some((need) => !mayEverDo(token, permissionOf(need)))) return forbidden
  if (scenario.about === 'any') return null
  const namesThing = route.path.includes('{')
  if (namesThing && !isThere(access, token)) return missing
  const may = (need: Need) => mayDo(token, permissionOf(need), resourceOf(need, access))
  // Contract 2.5: "nobody matched: 200 with all three null".
  if (scenario.about === 'Ada') return !needs.every(may) && may('view identity') ? forbidden : null
  if (scenario.about === 'items') return seesSomeItem(access, token) ? null : may('view list') ? forbidden : missing
  const lacking = needs.find((need) => !may(need))
  if (lacking) {
    const [, type] = permissionOf(lacking)
    // Contract 2.5: an identity is created in a group, which a rule may select.
    const isNowhere = !namesThing && type !== 'identity'
    return isNowhere || may(`view ${type}`) ? forbidden : missing
  }
  // Contract 2.2 and 2.4: a missing permission that only the body needs is 403.
  return (scenario.byBody ?? []).every(may) ? null : forbidden
}

/** Whether the resource in the path exists for this token, if its rules let it view the resource. */
function isThere({ account: { ada }, target: { is, ids } }: AccessCase, token: Token): boolean {
  if (is === 'draft') return knowsItem(token, { list: ids.list, item: ids.item, owner: ada.id, activated: false })
  return is === 'there'
}

function permissionOf(need: Need): readonly [Action, ResourceType] {
  return need.split(' ') as [Action, ResourceType]
}

/** The subject of a need; for a resource that does not exist yet, only its container. */
function resourceOf(
  need: Need,
  { account: { ada }, route: { method, path }, scenario, target: { ids } }: AccessCase,
): Resource {
  if (scenario.about === 'nothing') return {}
  if (scenario.about === 'Ada') return { identity: ada.id }
  const [action, type] = permissionOf(need)
  const { list, item, index, identity, pathName: group } = ids
  if (path.includes('{identity}')) return { identity, group }
  if (type === 'flow') return { flow: action === 'run' ? String(ids.flowIds[method]) : ids.flow }
  const isOf = (name: 'item' | 'index') =>
    type === name || ((type === 'event' || type === 'stats') && path.includes(`{${name}}`))
  const namesItem = path.includes('{item}') || scenario.about === 'body'
  if (isOf('item') && action !== 'create' && namesItem) return { list, item, owner: ada.id }
  return isOf('index') && action !== 'create' ? { list, index } : { list }
}

/** "A page shows exactly what the rules let the caller view": an item of the list, or one that could be in it. */
function seesSomeItem({ account: { ada }, target: { ids } }: AccessCase, token: Token): boolean {
  const { list, item } = ids
  const owner = token.identity === null ? {} : { owner: token.identity }
  const items: Resource[] = [
    { list, item, owner: ada.id },
    { list, item: 'any other', ...owner },
  ]
  return items.some((on) => mayDo(token, ['view', 'item'], on))
}
