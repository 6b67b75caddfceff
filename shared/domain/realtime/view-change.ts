import { isOfItem, type Subscription } from './subscription.ts'

// Some changes move what a client sees of items that have not changed: they have no events of their own, so the client fetches again.

/** Changes whose previous state has to be known. */
const compared = ['list-updated', 'index-updated']

/** A change of a list or an index, as its JSON was before and is after it; `before` undefined: it is no longer known. */
export type SettingsChange = { type: string; before: string | undefined; after: string }

/** Whether `movesView` needs the state before a change. */
export function comparesStates(type: string): boolean {
  return compared.includes(type)
}

/**
 * Whether a change of a list or an index moves what a client sees of its items: what tokens see depends on whether the list is
 * activated and which values are guarded, with conditions also on the indexes that they name. A client that returns to a list that
 * was not realtime for a while has missed what happened in it.
 */
export function movesView(
  { type, before, after }: SettingsChange,
  { isToken, byConditions }: { isToken: boolean; byConditions: boolean },
): boolean {
  if (type === 'list-updated') {
    const [was, is] = [parsed(before), parsed(after)]
    const wasRealtime = was !== undefined && was.realtime === true
    return (is.realtime === true && !wasRealtime) || (isToken && was?.activated !== is.activated)
  }
  if (!isToken || type.startsWith('list-')) return false
  const now = parsed(after)
  if (type !== 'index-updated') return byConditions || now.guard === true
  const was = parsed(before)
  if (was === undefined) return true
  const [one, other] = [was, now].map((index) => settingsOf(index, byConditions))
  return one !== other
}

/** Whether a client wants changes of items, which a moved view is about. */
export function asksForItems({ types }: Pick<Subscription, 'types'>): boolean {
  return [...types].some(isOfItem)
}

function settingsOf({ guard, pointer, valueType, activated }: Settings, byConditions: boolean): string {
  return JSON.stringify([guard === true && pointer, byConditions && [pointer, valueType, activated]])
}

type Settings = Record<string, unknown>

function parsed(text: string): Settings
function parsed(text: string | undefined): Settings | undefined
function parsed(text: string | undefined): Settings | undefined {
  return text === undefined ? undefined : JSON.parse(text)
}
