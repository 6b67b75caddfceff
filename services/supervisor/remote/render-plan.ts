import type { SyncChange } from '#client/src/main.ts'
import { counted } from '#shared/domain/text/counted.ts'
import { printable } from '../listing.ts'
import { jsonDifferences } from './json-differences.ts'
import type { Color, Paint } from './paint.ts'
import { pathOf } from './path-of.ts'
import { hasChanges, missingConsent, type PlannedSync, type SyncFlags } from './sync-report.ts'

/**
 * A plan for people: each change under its sign, with `from → to`, what is built or deleted, warnings and errors; then the
 * counts, and the options that are missing. What stays as it is is only counted.
 */
export function renderPlan(report: PlannedSync, { flags, paint }: { flags: SyncFlags; paint: Paint }): string {
  const shown = report.changes.filter(({ action, warnings = [] }) => action !== 'no-change' || warnings.length > 0)
  const blocks = shown.map((change) => ({ change, details: detailsOf(change, flags) }))
  const width = Math.max(0, ...blocks.flatMap(({ details }) => details.map(({ label }) => label.length)))
  const lines = blocks.flatMap(({ change, details }) => [
    heading(change, paint),
    ...details.map((detail) => detailLine(detail, { width, paint })),
  ])
  return [...lines, ...(lines.length > 0 ? [''] : []), ...closing(report, { flags, paint })]
    .map((line) => `${line}\n`)
    .join('')
}

const signs: Readonly<Record<SyncChange['action'], { sign: string; color: Color }>> = {
  create: { sign: '+', color: 'green' },
  update: { sign: '~', color: 'yellow' },
  adopt: { sign: '>', color: 'cyan' },
  delete: { sign: '-', color: 'red' },
  error: { sign: '!', color: 'red' },
  'no-change': { sign: ' ', color: 'dim' },
}

function heading(change: SyncChange, paint: Paint): string {
  const { action, resourceType } = change
  const { sign, color } = signs[action]
  return paint(color, `${sign} ${action.padEnd(9)} ${resourceType.padEnd(5)} ${paint('bold', pathOf(change))}`)
}

type Detail = { label: string; text: string; color?: Color }

function detailsOf(change: SyncChange, flags: SyncFlags): Detail[] {
  const { fields = {}, warnings = [], errors = [] } = change
  const revealed = fields.guard?.from === true && fields.guard.to === false
  return [
    ...Object.entries(fields).flatMap(([name, { from, to }]) => fieldDetails(name, from, to)),
    ...buildDetails(change, flags),
    ...deletionDetails(change, flags),
    ...(revealed ? consent('--allow-destructive', flags.allowDestructive) : []),
    ...warnings.map((text): Detail => ({ label: 'warning', text, color: 'yellow' })),
    ...errors.map(({ message }): Detail => ({ label: 'error', text: message, color: 'red' })),
  ]
}

/** How many places of one field are shown. */
const maxPlaces = 8

function fieldDetails(name: string, from: unknown, to: unknown): Detail[] {
  const places = jsonDifferences(from, to)
  const details = places.slice(0, maxPlaces).map(({ pointer, ...place }, n) => ({
    label: n === 0 ? name : '',
    text: [...(pointer ? [`${pointer}:`] : []), formatValue(place.from), '→', formatValue(place.to)].join(' '),
  }))
  const more = places.length - details.length
  return more > 0 ? [...details, { label: '', text: `and ${more} more` }] : details
}

const maxLength = 60

function formatValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

function buildDetails({ build }: SyncChange, { allowRebuild }: SyncFlags): Detail[] {
  if (!build) return []
  const of = counted(build.items, 'item')
  if (!build.requiresConfirmation) return [{ label: 'build', text: `with the values of ${of}` }]
  return [
    { label: 'rebuild', text: `with the values of ${of}`, color: 'yellow' },
    ...consent('--allow-rebuild', allowRebuild),
  ]
}

function deletionDetails({ resourceType, delete: deletion }: SyncChange, { allowDestructive }: SyncFlags): Detail[] {
  if (!deletion) return []
  const { items = 0, indexes = 0, destructive } = deletion
  const text = `${counted(items, 'item')} and ${counted(indexes, 'index', 'indexes')}`
  return [
    ...(resourceType === 'list' ? [{ label: 'deletes', text, color: 'red' } as const] : []),
    ...(destructive ? consent('--allow-destructive', allowDestructive) : []),
  ]
}

function consent(flag: string, isGiven: boolean): Detail[] {
  return isGiven ? [] : [{ label: 'needs', text: flag, color: 'red' }]
}

function detailLine({ label, text, color }: Detail, { width, paint }: { width: number; paint: Paint }): string {
  const shown = printable(text)
  return `    ${paint('dim', label.padEnd(width))}  ${color ? paint(color, shown) : shown}`
}

function closing(report: PlannedSync, { flags, paint }: { flags: SyncFlags; paint: Paint }): string[] {
  const { scope, summary } = report
  const of = scope === null ? '' : `Scope ${scope}: `
  if (!hasChanges(report)) {
    const unchanged = summary.noChange > 0 ? `, ${summary.noChange} unchanged` : ''
    return [paint('green', `${of}${of ? 'nothing' : 'Nothing'} to do${unchanged}.`)]
  }
  const counts = countNames.flatMap(([name, text]) => (summary[name] > 0 ? [`${summary[name]} ${text}`] : []))
  const missing = missingConsent(report, flags)
  return [
    paint('bold', `${of}${counts.join(', ')}.`),
    ...(missing.length > 0 ? [paint('red', `Not allowed yet; it needs ${missing.join(' ')}.`)] : []),
  ]
}

const countNames = [
  ['create', 'to create'],
  ['update', 'to update'],
  ['adopt', 'to adopt'],
  ['delete', 'to delete'],
  ['error', 'with errors'],
  ['noChange', 'unchanged'],
] as const
