import { account, client, readSelf } from '../../api/client.ts'
import { toListdError } from '../../api/errors.ts'
import { pollMs } from '../../api/hinted.ts'
import type { Resource } from '../../api/reader.ts'
import { useResource } from '../../api/resource.ts'
import { LinkButton } from '../../parts/controls/button.tsx'
import { Dot } from '../../parts/display/marks.tsx'
import { sentence } from '../../parts/display/text.tsx'
import { Loaded } from '../../parts/problems/problem.tsx'
import { readFailedBuilds } from './failed-builds.ts'
import { type Health, healthName, healthNeeds, healthOf, type Need, sortNeeds, webhookNeeds } from './needs.ts'
import { stateKey } from './state-key.ts'

/** A limit above the maximum number of webhooks of an account. */
const mostWebhooks = 100
const everyMs = 10_000

export type State = { needs: readonly Need[]; health: Health }

/** The problems of the account and the service, read in three calls. */
export function useAccountState(): Resource<State> {
  return useResource(stateKey, readState, {
    everyMs({ needs, health }) {
      if (needs.length === 0) return null
      // There is no hint for a service that is healthy again.
      return healthNeeds(health).length > 0 ? everyMs : pollMs(everyMs)
    },
  })
}

async function readState(signal: AbortSignal): Promise<State> {
  const [health, webhooks, builds] = await Promise.all([
    client.send<Health>('GET /health/ready', { options: { signal } }).catch((error) => healthOf(toListdError(error))),
    account.webhooks.all({ limit: mostWebhooks, signal }).page(1),
    readFailedBuilds(signal),
  ])
  return { needs: sortNeeds([...healthNeeds(health), ...builds, ...webhookNeeds(webhooks.data)]), health }
}

/** The problems, each with its action. */
export function NeedsList({ state }: { state: Resource<State> }) {
  return (
    <Loaded resource={state} skeleton={null}>
      {({ needs }) =>
        needs.length > 0 && (
          <ul class="card needs" aria-label="Needs your attention">
            {needs.map(({ tone, title, text, action }) => (
              <li key={title}>
                <Dot tone={tone} />
                <span class="grow">
                  <b>{title}</b>
                  <br />
                  <span class="muted">{sentence(text)}</span>
                </span>
                {action && <LinkButton to={action.to}>{action.label}</LinkButton>}
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

/** The version of the service and its healthy parts. The others are in the list above. */
export function WellParts({ health: { checks } }: { health: Health }) {
  const self = useResource('self', readSelf)
  const well = Object.keys(checks).filter((name) => checks[name] === 'ok')
  return (
    <p class="muted small">
      <Dot tone="good" /> {self.data && `listd ${self.data.version}. `}Healthy:{' '}
      {well.map(healthName).join(', ') || 'nothing'}.
    </p>
  )
}
