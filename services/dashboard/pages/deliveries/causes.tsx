import type { WebhookStats } from '#client/src/types/user-resources.ts'
import { hrefOf } from '../../address/location.ts'
import { count } from '../../parts/display/text.tsx'
import { errorWords, statusText } from './delivery-words.ts'

const mostCauses = 5

/** The filters that find deliveries with a cause. */
export type CauseConditions = { error: string } | { responseStatus: string }

type CausesProps = {
  title: string
  causes: WebhookStats['causes']
  /** Where the deliveries with a cause are. */
  addressOf: (conditions: CauseConditions) => string
}

/** Why deliveries failed, the most frequent cause first. */
export function Causes({ title, causes, addressOf }: CausesProps) {
  const most = Math.max(...causes.map((cause) => cause.count))
  return (
    <section class="card" aria-label={title}>
      <header>
        <h3>{title}</h3>
      </header>
      <ul class="causes in" role="list">
        {causes.slice(0, mostCauses).map((cause) => {
          const isError = 'error' in cause
          const name = isError ? errorWords[cause.error].name : statusText(cause.responseStatus)
          const conditions = isError ? { error: cause.error } : { responseStatus: `${cause.responseStatus}` }
          return (
            <li key={name}>
              <a class="link" href={hrefOf(addressOf(conditions))}>
                {name}
              </a>
              <span class="meter">
                <i style={{ width: `${(100 * cause.count) / most}%` }} />
              </span>
              <span class="num">{count(cause.count)}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
