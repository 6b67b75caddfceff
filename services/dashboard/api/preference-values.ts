import type { JsonObject } from '../../../client/src/resources.ts'
import { isObject } from '../../../shared/json/is-object.ts'

// What is kept is an object of any content: each reader takes what it understands, and its default for everything else.

/** The colours that a person chose; null: those of the system. */
export function schemeIn({ scheme }: JsonObject): 'light' | 'dark' | null {
  return scheme === 'light' || scheme === 'dark' ? scheme : null
}

/** Whether single keys do something. */
export function keysIn({ keys }: JsonObject): boolean {
  return keys !== false
}

/** A view of a list that somebody gave a name: `query` is that of its address. */
export type NamedView = { name: string; query: string }

/** The named views of a list, in the order in which they were saved. */
export function viewsIn({ views }: JsonObject, listId: string): readonly NamedView[] {
  const ofList = isObject(views) ? views[listId] : undefined
  return Array.isArray(ofList) ? ofList.filter(isView).map(({ name, query }) => ({ name, query })) : []
}

const isView = (value: unknown): value is NamedView =>
  isObject(value) && typeof value.name === 'string' && value.name !== '' && typeof value.query === 'string'

/** The preferences under `views` with other views of one list; a list without views is left out. */
export function withViews(now: JsonObject, listId: string, ofList: readonly NamedView[]): JsonObject {
  const views = Object.entries(isObject(now.views) ? now.views : {}).filter(([id]) => id !== listId)
  return { views: Object.fromEntries(ofList.length > 0 ? [...views, [listId, ofList]] : views) }
}
