import type { JsonObject } from '#client/src/types/resources.ts'
import { account } from './client.ts'
import { type Resource, refresh } from './reader.ts'
import { useResource } from './resource.ts'

/** The preferences of the user. They may have any content: `preference-values.ts` reads them. */
export function usePreferences(): Resource<JsonObject> {
  return useResource('preferences', (signal) => account.auth.preferences({ signal }))
}

let last: Promise<unknown> = Promise.resolve()

/**
 * Changes some preferences and keeps the rest. Changes of this tab run one after another, and each starts from the stored preferences. So a
 * change by another tab is overwritten only where the names are the same.
 * @param changesOf returns the new values by name from the stored ones; null removes a value
 * @throws ListdError
 */
export function changePreferences(changesOf: (now: JsonObject) => JsonObject): Promise<void> {
  const next = last.then(async () => {
    const now = await account.auth.preferences()
    const changed = Object.entries({ ...now, ...changesOf(now) }).filter(([, value]) => value !== null)
    await account.auth.replacePreferences(Object.fromEntries(changed))
    refresh('preferences')
  })
  last = next.catch(() => undefined)
  return next
}
