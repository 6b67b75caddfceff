import type { JsonObject } from '#client/src/types/resources.ts'
import { account } from './client.ts'
import { type Resource, refresh } from './reader.ts'
import { useResource } from './resource.ts'

/** The preferences of the user, for a page. What is in them may be anything: `preference-values.ts` reads it. */
export function usePreferences(): Resource<JsonObject> {
  return useResource('preferences', (signal) => account.auth.preferences({ signal }))
}

let last: Promise<unknown> = Promise.resolve()

/**
 * Changes what is kept under some names; the rest stays. Changes of this tab go one after the other, and each begins with what is
 * stored: of another tab's change only what has the same name is lost.
 * @param changesOf what is to be kept, by name, from what is kept now; null removes it
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
