import type { ComponentChildren } from 'preact'
import { route } from '#client/src/transport.ts'
import type { Webhook } from '#client/src/types/user-resources.ts'
import { here } from '../../address/location.ts'
import { account } from '../../api/client.ts'
import { pollMs } from '../../api/hinted.ts'
import { useResource } from '../../api/resource.ts'
import { LinkButton } from '../../parts/controls/button.tsx'
import { Tabs } from '../../parts/controls/tabs.tsx'
import { Pill } from '../../parts/display/marks.tsx'
import { count } from '../../parts/display/text.tsx'
import { webhooksCrumb } from '../../parts/page/crumbs.ts'
import { Page } from '../../parts/page/page.tsx'
import { UnreadPage } from '../../parts/page/unread-page.tsx'
import { Empty } from '../../parts/problems/problem.tsx'
import { Deliveries } from '../deliveries/deliveries.tsx'
import { ClearMissed } from './clear-missed.tsx'
import { SendTest } from './send-test.tsx'
import { SettingsTab } from './settings-tab.tsx'
import { usePace } from './use-pace.ts'
import { VerifyTab } from './verify/verify-tab.tsx'
import { webhookHealth, webhookName } from './webhook-health.ts'

const everyMs = 5_000

/** The key of a webhook. Code that changes it calls `refresh` with this key. */
export const webhookKey = (id: string) => `webhook ${id}`

/** One webhook: its state, its deliveries, its settings, and how its receiver verifies requests. */
export function WebhookPage({ webhook: id }: { webhook: string }) {
  const webhook = useResource(webhookKey(id), (signal) => account.webhooks.get(id, { signal }), {
    everyMs: ({ waitingCount, heldCount }) => (waitingCount + heldCount > 0 ? pollMs(everyMs) : null),
  })
  if (webhook.error?.name === 'REQUESTED_ENTITY_NOT_FOUND') return <NoWebhook />
  if (webhook.data) return <Parts key={id} webhook={webhook.data} />
  return <UnreadPage title="Webhook" crumbs={[webhooksCrumb]} resource={webhook} />
}

const tabs: readonly {
  name: string | null
  label: string
  show: (props: { webhook: Webhook }) => ComponentChildren
}[] = [
  { name: null, label: 'Deliveries', show: ({ webhook }) => <Deliveries webhook={webhook} /> },
  { name: 'settings', label: 'Settings', show: SettingsTab },
  { name: 'verify', label: 'Verify', show: VerifyTab },
]

function Parts({ webhook }: { webhook: Webhook }) {
  const address = route`/webhooks/${webhook.id}`
  const open = tabs.find(({ name }) => name === here.value.query.get('tab')) ?? tabs[0]
  const { tone, word, text } = webhookHealth(webhook)
  const pace = usePace(webhook)
  return (
    <Page
      title={webhookName(webhook)}
      part={open?.label ?? ''}
      crumbs={[webhooksCrumb]}
      marks={
        <>
          <Pill tone={tone === 'off' ? undefined : tone}>{word}</Pill>
          {webhook.description.trim() !== '' && <Pill mono>{URL.parse(webhook.url)?.host ?? webhook.url}</Pill>}
        </>
      }
      actions={
        <>
          {webhook.missedCount > 0 && <ClearMissed webhook={webhook} />}
          <SendTest webhook={webhook} />
        </>
      }
      lead={[text, pace].filter(Boolean).join(' ') || undefined}
      tabs={
        <Tabs
          tabs={tabs.map(({ name, label }) => ({
            to: name === null ? address : `${address}?tab=${name}`,
            label,
            count: name === null && webhook.waitingCount > 0 ? `${count(webhook.waitingCount)} waiting` : undefined,
            on: label === open?.label,
          }))}
        />
      }
    >
      {open && <open.show webhook={webhook} />}
    </Page>
  )
}

function NoWebhook() {
  return (
    <Page title="Webhook not found" crumbs={[webhooksCrumb]}>
      <Empty title="No webhook has this id" action={<LinkButton to="/webhooks">See all webhooks</LinkButton>}>
        It may have been deleted, or it is in another account.
      </Empty>
    </Page>
  )
}
