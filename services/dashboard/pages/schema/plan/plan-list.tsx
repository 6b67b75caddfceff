import { useMemo, useState } from 'preact/hooks'
import { parse } from '#client/src/json.ts'
import { route } from '#client/src/transport.ts'
import type { SyncChange } from '#client/src/types/sync-resources.ts'
import { Button, Link } from '#services/dashboard/parts/controls/button.tsx'
import { countOf, sentence } from '#services/dashboard/parts/display/text.tsx'
import { summaryWords } from '#shared/domain/sync/plan-words.ts'
import type { ShownPlan } from '../sync-draft.ts'
import { ChangeRow } from './change-row.tsx'
import { createdWords } from './created-words.ts'
import { changeKey, groupsOf, planDifference } from './plan-groups.ts'

/** Lists that are shown at first, and with each press of the button for more. */
const step = 100

/** The changes of a plan, by list. */
export function PlanList({ plan }: { plan: ShownPlan }) {
  const { report, before, applied, text } = plan
  const { changes } = applied ?? report
  const [shown, setShown] = useState(step)
  const groups = useMemo(() => groupsOf(changes), [changes])
  const document = useMemo(() => parse(text), [text])
  const marks = useMemo(() => before && planDifference(before.changes, changes).now, [before, changes])
  // Once the plan is applied, created lists exist, and deleted lists no longer do.
  const isThere = (ofList: readonly SyncChange[]) =>
    applied ? ofList[0]?.action !== 'delete' || ofList[0].index !== undefined : ofList.some(({ listId }) => listId)
  return (
    <>
      {!applied && <p class="muted">{sentence(summaryWords(report.summary).join(', '))}</p>}
      <ul class="card plan" aria-label="Changes">
        {groups.slice(0, shown).map(({ list, changes: ofList }) => (
          <li key={list}>
            <h2 class="mono">{isThere(ofList) ? <Link to={route`/lists/${list}`}>{list}</Link> : list}</h2>
            {ofList.map((change) => (
              <ChangeRow
                key={changeKey(change)}
                change={change}
                created={change.action === 'create' ? createdWords(document, change) : ''}
                mark={marks?.get(changeKey(change))}
                isApplied={applied !== null}
              />
            ))}
          </li>
        ))}
      </ul>
      {groups.length > shown && (
        <div>
          <Button onPress={() => setShown(shown + step)}>
            {`Show ${countOf(Math.min(step, groups.length - shown), 'more list', 'more lists')}`}
          </Button>
        </div>
      )}
    </>
  )
}
