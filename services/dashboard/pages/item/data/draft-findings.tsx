import { Note } from '#services/dashboard/parts/display/marks.tsx'
import { countOf } from '#services/dashboard/parts/display/text.tsx'
import { type Finding, messageOfFinding } from '../draft-check.ts'
import type { Draft } from '../use-draft.ts'

type DraftFindingsProps = { draft: Draft; onFinding: (finding: Finding) => void }

/** The errors of a draft, each with a link to its place. */
export function DraftFindings({ draft: { findings }, onFinding }: DraftFindingsProps) {
  if (findings.length === 0) return null
  return (
    <Note tone="bad">
      <b>{countOf(findings.length, 'error')}</b>
      <ul class="stack tight" aria-label="Errors">
        {findings.map((finding, n) => (
          <li key={n}>
            <button type="button" class="link" onClick={() => onFinding(finding)}>
              {messageOfFinding(finding)}
            </button>
          </li>
        ))}
      </ul>
      <p class="muted">Fix {findings.length === 1 ? 'it' : 'them'} to save.</p>
    </Note>
  )
}
