import { jsonDifferences } from '#shared/json/compare/differences.ts'
import { counted } from '../text/counted.ts'
import type { Change, ChangeAction } from './change.ts'
import type { SyncSummary } from './schema-sync.ts'

// Describes a plan in words, for both the command line and the dashboard.

/** The parts of a reported change that are described. */
export type ReportedChange = Omit<Change, 'errors' | 'action'> & {
  action: ChangeAction
  errors?: { message: string }[]
}

/** The parts of a report that are described. */
export type ReportedPlan = { changes: readonly ReportedChange[]; summary: SyncSummary }

/** The change of one field, at the places where it differs; `more`: the number of omitted places. */
export type FieldWords = { name: string; places: readonly PlaceWords[]; more: number }

/** `pointer` is empty if the whole field differs. Values are JSON text (cut if long), or `nothing`. */
export type PlaceWords = { pointer: string; from: string; to: string }

/** Maximum places shown per field. */
const maxPlaces = 8

export function fieldWords({ fields = {} }: ReportedChange): FieldWords[] {
  return Object.entries(fields).map(([name, { from, to }]) => {
    const places = jsonDifferences(from, to)
    const shown = places.slice(0, maxPlaces)
    const words = shown.map((place) => ({
      pointer: place.pointer,
      from: valueWords(place.from),
      to: valueWords(place.to),
    }))
    return { name, places: words, more: places.length - shown.length }
  })
}

const maxLength = 60

function valueWords(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

/** The effect of a change on stored data: a verb and its object. */
export type EffectWords = { verb: 'build' | 'rebuild' | 'deletes'; object: string }

export function effectWords({ resourceType, build, delete: deletion }: ReportedChange): EffectWords[] {
  const effects: EffectWords[] = []
  if (build) {
    const verb = build.requiresConfirmation ? 'rebuild' : 'build'
    effects.push({ verb, object: `with the values of ${counted(build.items, 'item')}` })
  }
  if (deletion && resourceType === 'list') {
    const { items = 0, indexes = 0 } = deletion
    effects.push({ verb: 'deletes', object: `${counted(items, 'item')} and ${counted(indexes, 'index', 'indexes')}` })
  }
  return effects
}

/** A parameter without which a plan is not applied (contract 2.4). */
export type Consent = 'allowRebuild' | 'allowDestructive'

/** The consents that a change needs. */
export function consentsOf({ fields, build, delete: deletion }: ReportedChange): Consent[] {
  const reveals = fields?.guard?.from === true && fields.guard.to === false
  return [
    ...(build?.requiresConfirmation ? (['allowRebuild'] as const) : []),
    ...(deletion?.destructive || reveals ? (['allowDestructive'] as const) : []),
  ]
}

/** The consents that a plan needs. */
export function neededConsents({ changes, summary }: ReportedPlan): Consent[] {
  return [
    ...(changes.some(({ build }) => build?.requiresConfirmation) ? (['allowRebuild'] as const) : []),
    ...(summary.destructive > 0 ? (['allowDestructive'] as const) : []),
  ]
}

/** The irreversible effects of a plan as a sentence, and the text that the user types to confirm them; null: none. */
export function destruction(plan: ReportedPlan): { sentence: string; typed: string } | null {
  const items = deletedItems(plan)
  if (items > 0) return { sentence: `This permanently deletes ${counted(items, 'item')}.`, typed: String(items) }
  return plan.summary.destructive > 0 ? { sentence: 'This makes guarded values visible.', typed: 'yes' } : null
}

/** How many items would be deleted with their lists. */
function deletedItems({ changes }: ReportedPlan): number {
  return changes.reduce((sum, { delete: deletion }) => sum + (deletion?.items ?? 0), 0)
}

/** Whether applying the plan would change anything. */
export function hasChanges({ changes }: { changes: readonly { action: string }[] }): boolean {
  return changes.some(({ action }) => action !== 'no-change')
}

/** For example "1 to create", "2 unchanged"; zero counts are omitted. */
export function summaryWords(summary: SyncSummary): string[] {
  return summaryNames.flatMap(([name, text]) => (summary[name] > 0 ? [`${summary[name]} ${text}`] : []))
}

const summaryNames = [
  ['create', 'to create'],
  ['update', 'to update'],
  ['adopt', 'to adopt'],
  ['delete', 'to delete'],
  ['error', 'with errors'],
  ['noChange', 'unchanged'],
] as const
