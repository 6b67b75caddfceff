import { stringify } from '#client/src/json.ts'
import type { FlowTestResult } from '#client/src/types/flow-resources.ts'
import { Button } from '#services/dashboard/parts/controls/button.tsx'
import { Pill } from '#services/dashboard/parts/display/marks.tsx'
import { countOf } from '#services/dashboard/parts/display/text.tsx'
import { layOut } from '#shared/json/text/layout.ts'
import { failedTests } from './checks.ts'

type TestResultsProps = {
  results: readonly FlowTestResult[]
  /** Whether the results are for an earlier text. */
  isOld: boolean
  /** Goes to the test with this name. */
  onGo: (name: string) => void
  /** The test whose path is drawn; null: none. */
  drawn: string | null
  onDraw: (name: string | null) => void
}

/** The results of the tests of a flow, with the actual response of failed ones. */
export function TestResults({ results, isOld, onGo, drawn, onDraw }: TestResultsProps) {
  const failed = failedTests({ results })
  return (
    <div class={isOld ? 'loaded old stack' : 'stack'}>
      <p role="status" class={failed > 0 ? 'bad said' : 'muted'}>
        {failed > 0 ? `${failed} of ${countOf(results.length, 'test')} failed.` : passedWords(results.length)}
      </p>
      <ul class="tests">
        {results.map((result) => (
          <li key={result.name}>
            <Pill tone={result.passed ? 'good' : 'bad'}>{result.passed ? 'passed' : 'failed'}</Pill>
            <div>
              <button type="button" class="link" onClick={() => onGo(result.name)}>
                {result.name}
              </button>{' '}
              <Button
                kind="quiet"
                name={`Show the path of ${result.name}`}
                icon="flows"
                pressed={drawn === result.name}
                onPress={() => onDraw(drawn === result.name ? null : result.name)}
              />
              {result.message && <p>{result.message}</p>}
              {result.actual && (
                <details>
                  <summary>Actual result</summary>
                  <pre class="code block" tabIndex={0}>
                    {layOut(stringify(result.actual) ?? '')}
                  </pre>
                </details>
              )}
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}

function passedWords(count: number): string {
  if (count === 0) return 'No tests yet.'
  return count === 1 ? '1 test passed.' : `All ${countOf(count, 'test')} passed.`
}
