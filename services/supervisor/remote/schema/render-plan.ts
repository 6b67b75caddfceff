import type { SyncChange } from '#client/src/main.ts'
import {
  consentsOf,
  effectWords,
  type FieldWords,
  fieldWords,
  hasChanges,
  summaryWords,
} from '#shared/domain/sync/plan-words.ts'
import { printable } from '../../terminal/listing.ts'
import type { Color, Paint } from '../paint.ts'
import { pathOf } from './path-of.ts'
import { missingConsent, type PlannedSync, type SyncFlags, withoutConsent } from './sync-report.ts'

/**
 * A plan for people: each change with its sign, `from → to`, what is built or deleted, warnings and errors; then the
 * counts, and the missing options. Unchanged lists and indexes are only counted.
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
  const { warnings = [], errors = [] } = change
  return [
    ...fieldWords(change).flatMap(fieldDetails),
    ...effectWords(change).map(({ verb, object }): Detail => ({ label: verb, text: object, ...effectColors[verb] })),
    ...withoutConsent(consentsOf(change), flags).map((text): Detail => ({ label: 'needs', text, color: 'red' })),
    ...warnings.map((text): Detail => ({ label: 'warning', text, color: 'yellow' })),
    ...errors.map(({ message }): Detail => ({ label: 'error', text: message, color: 'red' })),
  ]
}

const effectColors = { build: {}, rebuild: { color: 'yellow' }, deletes: { color: 'red' } } as const

function fieldDetails({ name, places, more }: FieldWords): Detail[] {
  const details = places.map(({ pointer, from, to }, n) => ({
    label: n === 0 ? name : '',
    text: [...(pointer ? [`${pointer}:`] : []), from, '→', to].join(' '),
  }))
  return more > 0 ? [...details, { label: '', text: `and ${more} more` }] : details
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
  const missing = missingConsent(report, flags)
  return [
    paint('bold', `${of}${summaryWords(summary).join(', ')}.`),
    ...(missing.length > 0 ? [paint('red', `Not allowed yet; add ${missing.join(' ')}.`)] : []),
  ]
}
