import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { listsOfConditions } from '#shared/domain/item-rules/rule-indexes.ts'
import { diffJson } from '#shared/json/compare/diff.ts'
import { Button } from '../../parts/controls/button.tsx'
import { Dialog } from '../../parts/dialogs/dialog.tsx'
import { Diff } from '../../parts/display/diff.tsx'
import { countOf } from '../../parts/display/text.tsx'
import { changesOf, groupRows, listRows } from './effect/effect.ts'
import type { Known } from './effect/known.ts'
import { VisibleCounts } from './effect/visible-count.tsx'

type SaveRulesProps = {
  tokenId: string
  before: readonly PermissionRule[]
  after: readonly PermissionRule[]
  known: Known
  onSave: () => void
  onClose: () => void
}

const mostShown = 20
/** Most lists whose visible items are counted: each list needs two requests. */
const mostCounted = 5

/** Shows how the edited rules change what the token may do, before they are saved. */
export function SaveRules({ tokenId, before, after, known, onSave, onClose }: SaveRulesProps) {
  const lists = listRows(known.lists, [...before, ...after])
  const changes = changesOf(before, after, { lists, groups: groupRows(known.groups) })
  const conditional = new Set(listsOfConditions([...before, ...after]))
  const counted = known.lists.filter(({ id }) => conditional.has(id)).slice(0, mostCounted)
  const more = changes.length - mostShown
  return (
    <Dialog title="Save these rules?" onClose={onClose} wide>
      <div class="form">
        <h3>What the token may do</h3>
        {changes.length === 0 && <p>Nothing changes for the lists and groups of the account.</p>}
        <ul class="effects" aria-label="What changes">
          {changes.slice(0, mostShown).map(({ what, where, from, to }) => (
            <li key={what + where}>
              <span class="grow">
                <b>{what}</b> <span class="muted">{where}</span>
              </span>
              <span class="muted">{from}</span> → <b class={to === 'no' ? 'no' : 'yes'}>{to}</b>
            </li>
          ))}
        </ul>
        {more > 0 && <p class="muted">And {countOf(more, 'more change', 'more changes')}.</p>}
        {counted.length > 0 && (
          <>
            <h3>What it sees without an identity</h3>
            <VisibleCounts lists={counted} tokenId={tokenId} identityId={null} before={before} after={after} />
          </>
        )}
        <details>
          <summary>The rules as JSON</summary>
          <Diff changes={diffJson(JSON.stringify(before), JSON.stringify(after))} />
        </details>
        <div class="ends">
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" onPress={onSave}>
            Save the rules
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
