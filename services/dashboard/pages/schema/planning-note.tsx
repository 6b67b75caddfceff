import { hasChanges, summaryWords } from '#shared/domain/sync/plan-words.ts'
import { Note } from '../../parts/display/marks.tsx'
import { countOf, sentence, size } from '../../parts/display/text.tsx'
import { ErrorList } from '../../parts/problems/error-list.tsx'
import { Problem } from '../../parts/problems/problem.tsx'
import type { DocumentError } from './document/document-errors.ts'
import type { PlannedSync } from './sync-draft.ts'
import { mostWhileWriting, type Planning } from './use-planning.ts'

type PlanningNoteProps = { text: string; planning: Planning; onGo: (at: number) => void }

/** The result of planning the document, in a sentence, with its errors. */
export function PlanningNote({ text, planning: { planned, error, busy }, onGo }: PlanningNoteProps) {
  if (error) return <Problem error={error} />
  if (planned?.report) return <PlanNote report={planned.report} errors={planned.errors} onGo={onGo} />
  if (planned && planned.errors.length > 0) return <Errors errors={planned.errors} onGo={onGo} />
  return (
    <p class="muted" role="status">
      {busy ? 'Comparing it with your lists…' : waiting(text)}
    </p>
  )
}

function waiting(text: string): string {
  if (text.trim() === '') return 'The changes of the document are shown here.'
  return text.length > mostWhileWriting
    ? `This document has ${size(text.length)}. Open the plan to compare it with your lists.`
    : 'It is compared with your lists when you stop typing.'
}

function PlanNote({
  report,
  errors,
  onGo,
}: {
  report: PlannedSync
  errors: readonly DocumentError[]
  onGo: PlanningNoteProps['onGo']
}) {
  const { summary } = report
  if (summary.error > 0) return <Errors errors={errors} onGo={onGo} />
  if (!hasChanges(report)) {
    return (
      <Note tone="good" icon="done">
        <span role="status">Nothing to change: the lists match the document.</span>
      </Note>
    )
  }
  return (
    <Note>
      <span role="status">{sentence(summaryWords(summary).join(', '))}</span>
    </Note>
  )
}

function Errors({ errors, onGo }: { errors: readonly DocumentError[]; onGo: PlanningNoteProps['onGo'] }) {
  return <ErrorList title={countOf(errors.length, 'error')} errors={errors} onGo={onGo} />
}
