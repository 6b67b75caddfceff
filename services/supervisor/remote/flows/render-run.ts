import type { FlowRun, FlowRunWithSteps } from '#client/src/main.ts'
import { counted } from '#shared/domain/text/counted.ts'
import { aligned, printable } from '../../terminal/listing.ts'
import type { Color, Paint } from '../paint.ts'

/** A run for people: how it ended, each step with its result, the writes, and the emitted events. */
export function renderRun(
  run: FlowRunWithSteps,
  { paint, dryRun = false }: { paint: Paint; dryRun?: boolean },
): string {
  const { steps, omittedSteps, writes, emits } = run
  const rows = steps.map(({ node, type, result, cut, durationMs }) => [
    `  ${node}`,
    type,
    durationMs === undefined ? '' : `${durationMs} ms`,
    cut ? '…' : shortened(result),
  ])
  const written = writes.map(({ op, list, itemId, version, node }) => [`  ${op}`, list, itemId, version ?? '-', node])
  const emitted = emits.map(({ webhookId, eventId, node, skipped }) => [
    `  ${webhookId}`,
    eventId,
    skipped ? 'skipped' : 'sent',
    node,
  ])
  const omitted = omittedSteps > 0 ? `  and ${counted(omittedSteps, 'more step')}\n` : ''
  return [
    `${paint(colors[run.status], printable(endOf(run)))}\n`,
    startedBy(run),
    part('Steps:', rows),
    omitted,
    part(dryRun ? 'Would write:' : 'Writes:', written),
    part(dryRun ? 'Would emit:' : 'Emits:', emitted),
  ].join('')
}

const colors: Readonly<Record<FlowRun['status'], Color>> = { succeeded: 'green', failed: 'red', refused: 'red' }

function part(title: string, rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? '' : `${title}\n${aligned(rows.map((row) => row.map(printable)))}`
}

function endOf({ id, status, durationMs, fuel, answer, error }: FlowRun): string {
  const took = `${id} ${status} in ${durationMs} ms with ${counted(fuel, 'step')} of expressions`
  if (error) return `${took}: ${error.status} ${error.code}${error.node ? ` at "${error.node}"` : ''}: ${error.message}`
  if (!answer) return took
  const body = answer.cut ? ' …' : answer.body === undefined ? '' : ` ${shortened(answer.body)}`
  return `${took}: ${answer.status}${body}`
}

/** Empty: an earlier version did not store it. */
function startedBy({ actor }: FlowRun): string {
  if (actor === undefined) return ''
  if (actor === null) return 'Started by an unknown caller\n'
  const identity = actor.identityId === null ? '' : ` for the identity ${actor.identityId}`
  const who = actor.authMode === 'token' ? `the token ${actor.tokenId}` : (actor.userName ?? `the user ${actor.userId}`)
  return `Started by ${printable(who)}${identity}\n`
}

const longestValue = 200

function shortened(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text
}
