import { route } from '#client/src/transport.ts'
import type { Webhook } from '#client/src/types/user-resources.ts'
import { hrefOf } from '../../address/location.ts'
import { account } from '../../api/client.ts'
import { pollMs } from '../../api/hinted.ts'
import { useResource } from '../../api/resource.ts'
import { LinkButton } from '../../parts/controls/button.tsx'
import { Dot } from '../../parts/display/marks.tsx'
import { Figure, Table } from '../../parts/display/table.tsx'
import { Ago, countOf } from '../../parts/display/text.tsx'
import { Page } from '../../parts/page/page.tsx'
import { Empty, Loaded } from '../../parts/problems/problem.tsx'
import { webhookHealth, webhookName } from './webhook-health.ts'

/** More webhooks than any plan has. */
const mostWebhooks = 100
const everyMs = 10_000

/** All webhooks of the account, with their states. */
export function WebhooksPage() {
  const webhooks = useResource(
    'webhooks',
    (signal) => account.webhooks.all({ order: 'createdAt', direction: 'asc', limit: mostWebhooks, signal }).page(1),
    {
      everyMs: ({ data }) =>
        data.some(({ waitingCount, heldCount }) => waitingCount + heldCount > 0) ? pollMs(everyMs) : null,
    },
  )
  return (
    <Page
      title="Webhooks"
      lead={webhooks.data && webhooks.data.total > 0 ? leadOf(webhooks.data.data) : undefined}
      actions={
        <>
          <LinkButton to="/deliveries">All deliveries</LinkButton>
          <NewWebhook />
        </>
      }
    >
      <Loaded resource={webhooks}>
        {({ data }) => (data.length > 0 ? <WebhookTable webhooks={data} /> : <NoWebhooks />)}
      </Loaded>
    </Page>
  )
}

function leadOf(webhooks: readonly Webhook[]): string {
  const needing = webhooks.filter((webhook) => ['warn', 'bad'].includes(webhookHealth(webhook).tone)).length
  const all = countOf(webhooks.length, 'webhook')
  if (needing === 0) return `${all}, all healthy.`
  return `${all}, of which ${needing} ${needing === 1 ? 'needs' : 'need'} attention.`
}

function NewWebhook() {
  return (
    <LinkButton to="/new-webhook" kind="primary" icon="add">
      New webhook
    </LinkButton>
  )
}

function NoWebhooks() {
  return (
    <Empty title="A webhook notifies your app of every change" action={<NewWebhook />}>
      Each change of an item is sent to your URL, signed and in order, and retried until it is received.
    </Empty>
  )
}

function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  return (
    <Table columns={['webhook', 'state', 'url', 'events', { figures: 'waiting' }, 'last sent']}>
      <tbody>
        {webhooks.map((webhook) => (
          <WebhookRow key={webhook.id} webhook={webhook} />
        ))}
      </tbody>
    </Table>
  )
}

function WebhookRow({ webhook }: { webhook: Webhook }) {
  const { id, url, events, listIds, waitingCount, lastDeliveryAt } = webhook
  const { tone, word, text } = webhookHealth(webhook)
  return (
    <tr>
      <td class="lead">
        <a href={hrefOf(route`/webhooks/${id}`)}>{webhookName(webhook)}</a>
      </td>
      <td class="under" title={text}>
        <Dot tone={tone} /> {word}
      </td>
      <td class="mono muted optional">{url}</td>
      <td class="optional muted">{scopeOf(events.length, listIds.length)}</td>
      <Figure n={waitingCount} one="waiting" many="waiting" />
      <td class="muted when">{lastDeliveryAt ? <Ago at={lastDeliveryAt} /> : 'never'}</td>
    </tr>
  )
}

const scopeOf = (events: number, lists: number) =>
  events === 0
    ? 'what flows send'
    : `${countOf(events, 'type')} of ${lists === 0 ? 'all lists' : countOf(lists, 'list')}`
