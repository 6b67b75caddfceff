import type { DeliveryWithPayload } from '#client/src/types/user-resources.ts'
import { Ago, count } from '../../parts/display/text.tsx'
import { errorWords, phasesText, statusText } from './delivery-words.ts'

type Attempt = DeliveryWithPayload['attemptLog'][number]

/** The attempts of a delivery, newest first. */
export function AttemptLog({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return null
  return (
    <section class="stack" aria-label="Attempts">
      <h3>Attempts</h3>
      <ol class="attempts" role="list">
        {attempts.toReversed().map((attempt) => (
          <li key={attempt.number}>
            <span class="muted">{attempt.number}</span>
            <span>{outcomeOf(attempt)}</span>
            <span class="muted num">{attempt.durationMs === null ? '' : `${count(attempt.durationMs)} ms`}</span>
            <span class="muted num">
              <Ago at={attempt.startedAt} />
            </span>
            {phasesText(attempt) && <span class="muted small more">{phasesText(attempt)}</span>}
            {attempt.headers && <span class="muted small mono more">{headersText(attempt.headers)}</span>}
          </li>
        ))}
      </ol>
    </section>
  )
}

const headersText = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map((header) => header.join(': '))
    .join(' · ')

function outcomeOf({ status, error, durationMs }: Attempt): string {
  if (error) return errorWords[error].name
  if (status !== null) return statusText(status)
  return durationMs === null ? 'open' : 'no answer'
}
