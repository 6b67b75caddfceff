import type { WebhookStats } from '#client/src/types/user-resources.ts'
import { Meters } from '../../parts/display/meters.tsx'
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
  const rows = causes.slice(0, mostCauses).map((cause) => ({
    name: 'error' in cause ? errorWords[cause.error].name : statusText(cause.responseStatus),
    count: cause.count,
    to: addressOf('error' in cause ? { error: cause.error } : { responseStatus: `${cause.responseStatus}` }),
  }))
  return <Meters title={title} rows={rows} />
}
