import { route } from '#client/src/transport.ts'
import type { List, ListFields } from '#client/src/types/resources.ts'
import type { NamesOfKind } from '#shared/domain/fields/field.ts'
import { namesIn, namesOfKind } from '#shared/domain/fields/values.ts'
import { listFields } from '#shared/domain/list/fields.ts'
import { ownTags } from '#shared/domain/list/scope.ts'
import { foldTags, sameTags } from '#shared/domain/tags.ts'
import { itemsIn } from '../../api/items-in.ts'
import type { ApiCall } from '../../parts/copy-as/call-text.ts'

export type FlagName = NamesOfKind<typeof listFields, 'flag'>

/** The flags of a list, in the order of the API's response. */
export const flagNames: readonly FlagName[] = namesOfKind(listFields, 'flag')

/** The fields that a document of a schema sync cannot set. */
export const setHereOnly: readonly string[] = namesIn(listFields, 'update').filter(
  (name) => !(namesIn(listFields, 'sync') as readonly string[]).includes(name),
)

/** The fields of the form: tags are a text, without the tag of the scope, and a prompt that is null is empty. */
export type ListDraft = Pick<List, 'name' | 'pathName' | 'description' | FlagName> & {
  tags: string
  generativePrompt: string
}

export function draftOf(list: List): ListDraft {
  const flags = Object.fromEntries(flagNames.map((name) => [name, list[name]])) as Pick<List, FlagName>
  const { name, pathName, description, generativePrompt, tags, scope } = list
  const texts = { name, pathName, description, generativePrompt: generativePrompt ?? '' }
  return { ...flags, ...texts, tags: ownTags(tags, scope).join(', ') }
}

/** The fields to send: those in which the form differs from the list. */
export function changesOf(list: List, draft: ListDraft): ListFields {
  const before = draftOf(list)
  const changes: Record<string, unknown> = {}
  for (const name of ['name', 'pathName', 'description', ...flagNames] as const) {
    if (draft[name] !== before[name]) changes[name] = draft[name]
  }
  const tags = tagsOf(draft.tags)
  if (!sameTags(foldTags(tags), tagsOf(before.tags))) changes.tags = tags
  if (draft.generativePrompt !== before.generativePrompt) changes.generativePrompt = draft.generativePrompt || null
  return changes as ListFields
}

/** Tags from a text, separated by commas or spaces. */
function tagsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean)
}

/** Why a list cannot be deleted, and what to do; null: it can be deleted. */
export function whyNotDeleted(list: List): string | null {
  if (list.readonly) return 'The list is readonly. Turn that off and save before you delete it.'
  if (list.protected && itemsIn(list) > 0) {
    return 'The list is protected while it has items. Turn that off and save, or delete its items first.'
  }
  return null
}

/** The request that updates a list. @param body the text of its body */
export function updateCall(list: string, body: string): ApiCall {
  const sdk = `listd.lists.update(${JSON.stringify(list)}, ${body})`
  return { method: 'PUT', path: route`/lists/${list}`, body, sdk }
}
