import { callText } from '#services/dashboard/parts/copy-as/call-text.ts'
import { Note } from '#services/dashboard/parts/display/marks.tsx'
import type { AccessCall } from '#shared/domain/access/calls.ts'
import type { Permissions } from '#shared/domain/access/compiled-rules.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { answers, type Cell, reasonFor } from './effect.ts'

type ExplainedProps = {
  rules: readonly PermissionRule[]
  call: AccessCall
  cell: Cell
  where: string
  /** The id or alias, if the call is about one item. */
  item?: string
  /** A sentence for each rule with conditions that selects the item: whether they are met. */
  reported?: readonly string[]
  /** Computes the cell for other rules. */
  again: (permissions: Permissions) => Cell | null
}

/** The API's response to a call, the rule that decided, and the call itself. */
export function Explained({ rules, call, cell, where, item, reported = [], again }: ExplainedProps) {
  const { state, verdict, namedItems } = cell
  const [method = '', path = ''] = call.route.split(' ')
  const filled = path
    .replace('{list}', where.replace(/^any.*/, 'LIST'))
    .replace('{item}', item || 'ITEM')
    .replace(/\{(\w+)\}/g, (_, name) => name.toUpperCase())
  const request = callText({ method: method as 'GET', path: filled, sdk: '' }, 'curl', location.origin)
  return (
    <>
      <div role="status">
        <Note tone={state === 'no' ? 'warn' : 'accent'} icon="note">
          <b>
            {call.about}: {call.name}, {where}: {state}.
          </b>{' '}
          {reasonFor(rules, cell, (others) => again(others)?.verdict.answer)}{' '}
          {state === 'own' && 'This applies to resources that the identity owns. '}
          {cell.hasConditions ? 'The API allows what meets them.' : answers[verdict.answer]}
          {namedItems > 0 && ' Rules that name items decide differently for those.'}
        </Note>
        {reported.length > 0 && (
          <ul class="outcomes" aria-label="Results of conditions">
            {reported.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
      </div>
      <section class="card" aria-label="As a request">
        <pre class="code in" tabIndex={0}>
          {request}
        </pre>
      </section>
    </>
  )
}
