import type { WebhookStats } from '#client/src/types/user-resources.ts'
import { Meters } from '../../parts/display/meters.tsx'
import { errorWords, statusText } from './delivery-words.ts'

const mostCauses = 5

/** The filters that find the deliveries with this cause. */
export type CauseConditions = { error: string } | { responseStatus: string }

type CausesProps = {
  title: string
  causes: WebhookStats['causes']
  /** The address that lists the deliveries with these filters. */
  addressOf: (conditions: CauseConditions) => string
}

/** The causes of failed deliveries, most frequent first. */
export function Causes({ title, causes, addressOf }: CausesProps) {
  const rows = causes.slice(0, mostCauses).map((cause) => ({
    name: 'error' in cause ? errorWords[cause.error].name : statusText(cause.responseStatus),
    count: cause.count,
    to: addressOf('error' in cause ? { error: cause.error } : { responseStatus: `${cause.responseStatus}` }),
  }))
  return <Meters title={title} rows={rows} />
}
