import { useMemo, useState } from 'preact/hooks'
import { Button } from '#services/dashboard/parts/controls/button.tsx'
import { Dialog } from '#services/dashboard/parts/dialogs/dialog.tsx'
import { Diff, shortened } from '#services/dashboard/parts/display/diff.tsx'
import { Note } from '#services/dashboard/parts/display/marks.tsx'
import { countOf } from '#services/dashboard/parts/display/text.tsx'
import { diffJson } from '#shared/json/compare/diff.ts'
import { type Conflict, mergeChanges, type Side } from '#shared/json/compare/merge.ts'

type MergeDialogProps = {
  /** Compact texts: the data that the draft started from, the draft itself, and the data that somebody else saved. */
  texts: { base: string; mine: string; theirs: string }
  busy: boolean
  /** Saves the merged data. */
  onSave: (data: string) => void
  /** Puts the merged data into the editor for review. */
  onEdit: (data: string) => void
  onDiscard: () => void
  onClose: () => void
}

/** Merges a draft with a version that somebody else saved. Where both changed a value, the user chooses one. */
export function MergeDialog({ texts, busy, onSave, onEdit, onDiscard, onClose }: MergeDialogProps) {
  const { base, mine, theirs } = texts
  const { conflicts, print } = useMemo(() => mergeChanges(texts), [base, mine, theirs])
  const [sides, setSides] = useState<(Side | undefined)[]>([])
  const left = conflicts.filter((_, n) => sides[n] === undefined).length
  const choose = (n: number, side: Side) => setSides(conflicts.map((_, m) => (m === n ? side : sides[m])))
  return (
    <Dialog title="Somebody else changed this item" onClose={onClose} wide>
      <div class="form">
        <Note tone={conflicts.length > 0 ? 'warn' : 'good'}>{summary(conflicts.length)}</Note>
        {conflicts.map((conflict, n) => (
          <ChooseSide
            key={`${n} ${conflict.pointer}`}
            conflict={conflict}
            side={sides[n]}
            onSide={(side) => choose(n, side)}
          />
        ))}
        <Changes title="Their changes" before={base} after={theirs} />
        <Changes title="Your changes" before={base} after={mine} />
        <div class="ends">
          <Button kind="quiet" onPress={onDiscard}>
            Discard yours
          </Button>
          <Button disabled={left > 0} onPress={() => onEdit(print(sides))}>
            Merge and review
          </Button>
          <Button kind="primary" busy={busy} disabled={left > 0} onPress={() => onSave(print(sides))}>
            {left > 0 ? `${left} to choose` : 'Merge and save'}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function summary(conflicts: number): string {
  if (conflicts === 0) return 'Your changes and theirs do not overlap: both are kept.'
  const both = countOf(conflicts, 'place was', 'places were')
  return `${both} changed by both of you. Choose which value to keep; everything else is merged.`
}

type ChooseSideProps = { conflict: Conflict; side: Side | undefined; onSide: (side: Side) => void }

function ChooseSide({ conflict, side, onSide }: ChooseSideProps) {
  const { pointer, base, mine, theirs } = conflict
  const name = pointer || 'the whole'
  return (
    <fieldset class="choose">
      <legend class="mono">{name}</legend>
      <p class="muted small">
        It was <code>{reported(base)}</code>
      </p>
      <label>
        <input type="radio" name={`side of ${name}`} checked={side === 'mine'} onChange={() => onSide('mine')} />
        <span>
          Yours <code>{reported(mine)}</code>
        </span>
      </label>
      <label>
        <input type="radio" name={`side of ${name}`} checked={side === 'theirs'} onChange={() => onSide('theirs')} />
        <span>
          Theirs <code>{reported(theirs)}</code>
        </span>
      </label>
    </fieldset>
  )
}

const reported = (text: string | null) => (text === null ? 'no value' : shortened(text))

function Changes({ title, before, after }: { title: string; before: string; after: string }) {
  const changes = useMemo(() => diffJson(before, after), [before, after])
  return (
    <details>
      <summary>
        {title} ({changes.length})
      </summary>
      <Diff changes={changes} />
    </details>
  )
}
