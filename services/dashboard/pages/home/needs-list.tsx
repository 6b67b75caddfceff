import { account, client } from '../../api/client.ts'
import { type Resource, toListdError, useResource } from '../../api/resource.ts'
import { LinkButton } from '../../parts/button.tsx'
import { Dot } from '../../parts/marks.tsx'
import { Loaded } from '../../parts/problem.tsx'
import { sentence } from '../../parts/text.tsx'
import { readFailedBuilds } from './failed-builds.ts'
import { type Health, healthNeeds, healthOf, type Need, sortNeeds, webhookNeeds } from './needs.ts'

/** More webhooks than any plan has. */
const mostWebhooks = 100
const everyMs = 10_000

/** What is the matter in the account and with the service, read in three calls. */
export function useNeeds(): Resource<Need[]> {
  return useResource('needs', readNeeds, { everyMs: (needs) => (needs.length > 0 ? everyMs : null) })
}

async function readNeeds(signal: AbortSignal): Promise<Need[]> {
  const [health, webhooks, builds] = await Promise.all([
    client.send<Health>('GET /health/ready', { options: { signal } }).catch((error) => healthOf(toListdError(error))),
    account.webhooks.all({ limit: mostWebhooks, signal }).page(1),
    readFailedBuilds(signal),
  ])
  return sortNeeds([...healthNeeds(health), ...builds, ...webhookNeeds(webhooks.data)])
}

/** Each in a line with its one action. */
export function NeedsList({ needs }: { needs: Resource<Need[]> }) {
  return (
    <Loaded resource={needs} skeleton={null}>
      {(found) =>
        found.length > 0 && (
          <ul class="card needs" aria-label="What needs you">
            {found.map(({ tone, title, text, action }) => (
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
