import { jsonDifferences } from '#shared/json/compare/differences.ts'
import { counted } from '../text/counted.ts'
import type { Change, ChangeAction } from './change.ts'
import type { SyncSummary } from './schema-sync.ts'

// A plan in words, the same for the command line and the dashboard.

/** A change of a report, as far as it is put into words. */
export type ReportedChange = Omit<Change, 'errors' | 'action'> & {
  action: ChangeAction
  errors?: { message: string }[]
}

/** A report, as far as it is put into words. */
export type ReportedPlan = { changes: readonly ReportedChange[]; summary: SyncSummary }

/** What one field was and becomes, at the places where it differs; `more`: how many of them are left out. */
export type FieldWords = { name: string; places: readonly PlaceWords[]; more: number }

/** `pointer` is empty where the field differs as a whole. Values are JSON text, cut where it is long, or `nothing`. */
export type PlaceWords = { pointer: string; from: string; to: string }

/** How many places of one field are shown. */
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

/** What a change does to what is stored: a verb, and to what. */
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

/** What a change needs to be allowed. */
export function consentsOf({ fields, build, delete: deletion }: ReportedChange): Consent[] {
  const reveals = fields?.guard?.from === true && fields.guard.to === false
  return [
    ...(build?.requiresConfirmation ? (['allowRebuild'] as const) : []),
    ...(deletion?.destructive || reveals ? (['allowDestructive'] as const) : []),
  ]
}

/** What a plan needs to be allowed. */
export function neededConsents({ changes, summary }: ReportedPlan): Consent[] {
  return [
    ...(changes.some(({ build }) => build?.requiresConfirmation) ? (['allowRebuild'] as const) : []),
    ...(summary.destructive > 0 ? (['allowDestructive'] as const) : []),
  ]
}

/** What a plan does that cannot be undone, as a sentence, and what the user types to confirm it; null: nothing. */
export function destruction(plan: ReportedPlan): { sentence: string; typed: string } | null {
  const items = deletedItems(plan)
  if (items > 0) return { sentence: `This deletes ${counted(items, 'item')} for good.`, typed: String(items) }
  return plan.summary.destructive > 0 ? { sentence: 'This makes guarded values visible.', typed: 'yes' } : null
}

/** How many items would be deleted with their lists. */
function deletedItems({ changes }: ReportedPlan): number {
  return changes.reduce((sum, { delete: deletion }) => sum + (deletion?.items ?? 0), 0)
}

/** Whether to apply the plan would change anything. */
export function hasChanges({ changes }: { changes: readonly { action: string }[] }): boolean {
  return changes.some(({ action }) => action !== 'no-change')
}

/** Such as "1 to create", "2 unchanged"; what there is none of is left out. */
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
