import type { List } from '../list/fields.ts'
import type { IndexChange } from '../list/index-build.ts'
import type { ListIndex } from '../list/index-fields.ts'
import { indexKey } from '../list/index-names.ts'
import { servesRules } from '../list/serves-rules.ts'
import { pathNameKey } from '../path-name.ts'
import { isSearched } from '../search/searched.ts'
import type { Use, UseKind } from './use.ts'

/** A use that a change removes or changes in meaning. `cause` is the change, as the beginning of a sentence. */
export type Loss = { use: Use; cause: string }

type ListSettings = Pick<List, 'pathName' | 'readonly' | 'activated'>

/** The losses of a change of a list; `after` null: of its deletion, which removes everything in it. */
export function listLosses(before: ListSettings, after: ListSettings | null): Loss[] {
  const { pathName } = before
  const lost = (kind: UseKind, cause: string) => ({ use: { kind, list: pathNameKey(pathName), name: '' }, cause })
  if (!after) return [lost('list', `The list ${pathName} is deleted`)]
  const isRenamed = pathNameKey(after.pathName) !== pathNameKey(pathName)
  return [
    ...(isRenamed ? [lost('list', `The path name ${pathName} becomes ${after.pathName}`)] : []),
    // Flows continue: hiding a list stops none of them, which its user may not expect.
    ...(before.activated && !after.activated ? [lost('list', `The list ${pathName} is hidden from tokens only`)] : []),
    ...(!before.readonly && after.readonly ? [lost('write', `The list ${pathName} becomes read-only`)] : []),
  ]
}

type Traits = Pick<
  ListIndex,
  'pathName' | 'pointer' | 'valueType' | 'alias' | 'sorting' | 'filtering' | 'searching' | 'guard' | 'activated'
>
type TraitsChange = { [State in keyof IndexChange]: Traits | null } & { before: Pick<ListIndex, 'id'> | null }

/** The losses of a change of an index, including its creation and deletion. @param list the path name of its list */
export function indexLosses(list: string, { before, after }: TraitsChange): Loss[] {
  const of = (kind: UseKind, name: string, cause: string) => ({ use: { kind, list: pathNameKey(list), name }, cause })
  const guards = after?.guard && !before?.guard ? [of('read', '', `The index ${after.pathName} guards its values`)] : []
  if (!before) return guards
  const key = indexKey(before.pathName)
  const named = (serves: Serves, no: string, kinds: readonly UseKind[]) => {
    const cause = lossByName(before, after, { serves, no }) ?? lossOfValues(before, after, serves)
    return cause === null ? [] : kinds.map((kind) => of(kind, kind === 'any-filter' ? '' : key, cause))
  }
  const unnamed = (serves: Serves, no: string, kind: UseKind) => {
    const cause = lossOfService(before, after, { serves, no }) ?? lossOfValues(before, after, serves)
    return cause === null ? [] : [of(kind, '', cause)]
  }
  const ofRules = lossOfService(before, after, { serves: servesRules, no: 'no longer filters' })
  const ofRulesOrValues = ofRules ?? lossOfValues(before, after, servesRules)
  return [
    ...(ofRulesOrValues === null ? [] : [of('rule', before.id, ofRulesOrValues)]),
    ...named(({ filtering, activated }) => filtering && activated, 'no longer filters', ['filter', 'any-filter']),
    ...named(({ sorting, activated }) => sorting && activated, 'no longer sorts', ['order']),
    ...unnamed(({ alias, activated }) => alias && activated, 'is no longer the alias', 'alias'),
    ...unnamed(isSearched, 'is no longer searched', 'search'),
    ...guards,
  ]
}

/** Whether an index serves a use. */
type Serves = (index: Traits) => boolean
type Service = { serves: Serves; no: string }

/** The loss for a use by the name of an index. */
function lossByName(before: Traits, after: Traits | null, service: Service): string | null {
  if (!service.serves(before)) return null
  if (after && indexKey(after.pathName) !== indexKey(before.pathName))
    return `The path name ${before.pathName} of an index becomes ${after.pathName}`
  return lossOfService(before, after, service)
}

function lossOfService(before: Traits, after: Traits | null, { serves, no }: Service): string | null {
  if (!serves(before) || (after && serves(after))) return null
  return after ? `The index ${before.pathName} ${no}` : `The index ${before.pathName} is deleted`
}

function lossOfValues(before: Traits, after: Traits | null, serves: Serves): string | null {
  if (!after || !serves(before)) return null
  if (after.pointer !== before.pointer) return `The index ${before.pathName} has a new pointer`
  return after.valueType !== before.valueType ? `The index ${before.pathName} has a new value type` : null
}

/** The losses of a webhook's deletion or deactivation. */
export function webhookLosses(id: string, after: { activated: boolean } | null): Loss[] {
  if (after?.activated) return []
  const cause = after ? 'The webhook is no longer active' : 'The webhook is deleted'
  return [{ use: { kind: 'webhook', list: '', name: id }, cause }]
}
