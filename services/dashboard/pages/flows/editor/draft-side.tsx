import type { FlowTexts } from '#services/dashboard/api/flow-texts.ts'
import { Note } from '#services/dashboard/parts/display/marks.tsx'
import { countOf } from '#services/dashboard/parts/display/text.tsx'
import { ErrorList } from '#services/dashboard/parts/problems/error-list.tsx'
import { Problem } from '#services/dashboard/parts/problems/problem.tsx'
import { type Checks, failedTests, hasErrors } from './checks.ts'
import { TestResults } from './test-results.tsx'
import type { FlowDraft } from './use-flow-draft.ts'

type DraftSideProps = {
  draft: FlowDraft
  onGo: (name: keyof FlowTexts, at: number) => void
  onGoToTest: (name: string) => void
  /** The test whose path is drawn; null: none. */
  drawn: string | null
  onDraw: (name: string | null) => void
}

/** The errors of an edited flow, and the results of its tests. */
export function DraftSide({ draft, onGo, onGoToTest, drawn, onDraw }: DraftSideProps) {
  const { checks, failure, checkAgain, overtakenBy } = draft
  const { findings, results, isChecking, error } = checks
  const isWrong = hasErrors(findings)
  return (
    <aside aria-label="Checks">
      <div class="stack sticks" aria-busy={isChecking}>
        {overtakenBy !== null && (
          <Note tone="warn">
            Version {overtakenBy} was saved since you began. Your text will be saved as the version after it.
          </Note>
        )}
        {failure && <Problem error={failure} />}
        {error && <Problem error={error} onRetry={checkAgain} />}
        <FindingsOf what="document" findings={findings.document} onGo={(at) => onGo('document', at)} />
        <FindingsOf what="tests" findings={findings.tests} onGo={(at) => onGo('tests', at)} />
        {!isWrong && isChecking && <Note icon="time">Checking…</Note>}
        {!isWrong && !isChecking && results && failedTests(checks) === 0 && (
          <Note tone="good" icon="done">
            <span role="status">No errors. You can save the flow.</span>
          </Note>
        )}
        <section class="stack" aria-label="Tests">
          <h2>Tests</h2>
          {isWrong || !results ? (
            <p class="muted">
              {isWrong ? 'Tests run once the flow has no errors.' : 'Tests run when you stop typing.'}
            </p>
          ) : (
            <TestResults results={results} isOld={isChecking} onGo={onGoToTest} drawn={drawn} onDraw={onDraw} />
          )}
          <p class="muted small">
            Tests run in memory, with the schemas and indexes of your lists. They do not read or write your items. A
            flow cannot be saved while a test fails.
          </p>
        </section>
      </div>
    </aside>
  )
}

type FindingsProps = { what: string; findings: Checks['findings']['document']; onGo: (at: number) => void }

function FindingsOf({ what, findings, onGo }: FindingsProps) {
  const of = (severity: 'error' | 'warning') => findings.filter((one) => one.severity === severity)
  const [errors, warnings] = [of('error'), of('warning')]
  return (
    <>
      {errors.length > 0 && (
        <ErrorList title={`${countOf(errors.length, 'error')} in the ${what}`} errors={errors} onGo={onGo} />
      )}
      {warnings.length > 0 && (
        <ErrorList
          tone="warn"
          title={`${countOf(warnings.length, 'warning')} in the ${what}`}
          errors={warnings}
          onGo={onGo}
        />
      )}
    </>
  )
}
