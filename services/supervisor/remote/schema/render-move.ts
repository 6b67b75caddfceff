import type { MoveReport } from '#client/src/main.ts'
import { printable } from '../../terminal/listing.ts'
import type { Color, Paint } from '../paint.ts'
import { pathOf } from './path-of.ts'
import type { PlannedMove } from './sync-report.ts'

/** A move for people: each moved list and index, and the errors of those that cannot be moved. */
export function renderMove({ scope, summary, changes, warnings }: PlannedMove, paint: Paint): string {
  const shown = changes.filter(({ action }) => action !== 'no-change')
  const lines = shown.flatMap((change) => {
    const { action, resourceType, fields, errors = [] } = change
    const from = typeof fields?.scope?.from === 'string' ? `from ${fields.scope.from}` : ''
    const heading = `${action.padEnd(8)} ${resourceType.padEnd(5)} ${paint('bold', pathOf(change))} ${from}`.trimEnd()
    return [paint(colors[action], heading), ...errors.map(({ message }) => paint('red', `    ${printable(message)}`))]
  })
  const to = scope === null ? 'to no scope' : `to the scope ${scope}`
  const counts = `${shown.length - summary.error} to move ${to}, ${summary.noChange} there already`
  return [
    ...lines,
    ...warnings.map((warning) => paint('yellow', printable(warning))),
    paint('bold', summary.error > 0 ? `${counts}, ${summary.error} with errors.` : `${counts}.`),
  ]
    .map((line) => `${line}\n`)
    .join('')
}

const colors: Readonly<Record<MoveReport['changes'][number]['action'], Color>> = {
  move: 'cyan',
  assign: 'green',
  release: 'yellow',
  error: 'red',
  'no-change': 'dim',
}
