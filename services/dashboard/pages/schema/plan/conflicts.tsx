import { useState } from 'preact/hooks'
import { Button } from '#services/dashboard/parts/controls/button.tsx'
import { Note } from '#services/dashboard/parts/display/marks.tsx'
import { countOf } from '#services/dashboard/parts/display/text.tsx'
import { MoveDialog } from '../move-dialog.tsx'
import type { PlannedSync } from '../sync-draft.ts'

/** Offers to move the lists that another scope manages to the scope of the document. */
export function Conflicts({ report, onMoved }: { report: PlannedSync; onMoved: () => void }) {
  const [isOpen, setOpen] = useState(false)
  const lists = conflictingLists(report)
  if (lists.length === 0) return null
  const { scope } = report
  return (
    <Note tone="warn">
      <p>
        {countOf(lists.length, 'list of this document is', 'lists of this document are')} managed by another scope.{' '}
        {scope === null
          ? 'A document without a scope cannot change them.'
          : `Move them to ${scope} so that this document can change them.`}
      </p>
      <div class="row">
        <Button onPress={() => setOpen(true)}>
          {scope === null
            ? `Release ${countOf(lists.length, 'list')}…`
            : `Move ${countOf(lists.length, 'list')} to ${scope}…`}
        </Button>
      </div>
      {isOpen && (
        <MoveDialog
          what={{ lists, scope }}
          onClose={() => setOpen(false)}
          onMoved={() => {
            setOpen(false)
            onMoved()
          }}
        />
      )}
    </Note>
  )
}

/** Most lists that one move can name. */
const mostNamed = 1_000

function conflictingLists({ changes }: PlannedSync): string[] {
  const inConflict = changes.filter(({ errors = [] }) =>
    errors.some(({ name }) => name === 'SCHEMA_SYNC_SCOPE_CONFLICT'),
  )
  return [...new Set(inConflict.map(({ list }) => list))].slice(0, mostNamed)
}
