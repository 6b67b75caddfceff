import { isOfItem, type Subscription } from './subscription.ts'

// Some changes affect what a client sees of unchanged items. These items have no events, so the client must fetch again.

/** Changes that are compared with the previous state. */
const compared = ['list-updated', 'index-updated']

/** A change of a list or an index, with its JSON before and after; `before` undefined: no longer known. */
export type SettingsChange = { type: string; before: string | undefined; after: string }

/** Whether `movesView` needs the state before a change. */
export function comparesStates(type: string): boolean {
  return compared.includes(type)
}

/**
 * Whether a change of a list or an index affects what a client sees of its items. What tokens see depends on whether the list is activated,
 * which values are guarded, and, with conditions, on the indexes that they name. If a list becomes realtime again, clients have missed its
 * changes.
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

/** Whether a client subscribes to changes of items, which a changed view affects. */
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
