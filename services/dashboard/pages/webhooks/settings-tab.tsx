import { useEffect, useRef, useState } from 'preact/hooks'
import type { Webhook } from '#client/src/user-resources.ts'
import { account } from '../../api/client.ts'
import { refresh } from '../../api/resource.ts'
import { announce } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { LeaveGuard } from '../../parts/leave-guard.tsx'
import { usePageKeys } from '../../parts/page-keys.ts'
import { Problem } from '../../parts/problem.tsx'
import { DeleteWebhook } from './delete-webhook.tsx'
import { SecretSection } from './secret-section.tsx'
import { SwitchWebhook } from './switch-webhook.tsx'
import { useSending } from './use-sending.ts'
import { changesOf, draftOf, type WebhookDraft } from './webhook-draft.ts'
import { WebhookFieldset } from './webhook-form.tsx'

/** What a webhook is sent and where to, its secret, and the ways to stop it. */
export function SettingsTab({ webhook }: { webhook: Webhook }) {
  const { draft, edit, isChanged, problems, other, busy, save, discard } = useWebhookForm(webhook)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [problems])
  usePageKeys([{ key: 'Ctrl s', what: 'Save', run: save }])
  return (
    <div class="settings">
      <form
        ref={form}
        class="form"
        aria-label="Settings of the webhook"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        {isChanged && <LeaveGuard what="What you changed of the webhook" parameters={['tab']} />}
        {other && <Problem error={other} />}
        <WebhookFieldset headerNames={webhook.headerNames} draft={draft} edit={edit} problems={problems} />
        <div class="ends">
          <Button kind="quiet" disabled={!isChanged || busy} onPress={discard}>
            Discard
          </Button>
          <Button kind="primary" sends busy={busy} disabled={!isChanged}>
            Save
          </Button>
        </div>
      </form>
      <SwitchWebhook webhook={webhook} />
      <SecretSection webhook={webhook} />
      <DeleteWebhook webhook={webhook} />
    </div>
  )
}

function useWebhookForm(webhook: Webhook) {
  const [edits, setEdits] = useState<Partial<WebhookDraft>>({})
  const { send, clear, ...sending } = useSending()
  const draft = { ...draftOf(webhook), ...edits }
  const isChanged = Object.keys(changesOf(webhook, draft)).length > 0
  const discard = () => {
    setEdits({})
    clear()
  }
  const save = () => {
    if (!isChanged) return
    send(draft, async () => {
      await account.webhooks.update(webhook.id, changesOf(webhook, draft))
      announce('The webhook was saved.')
      discard()
      refresh('webhook')
    })
  }
  const edit = (change: Partial<WebhookDraft>) => setEdits({ ...edits, ...change })
  return { draft, edit, isChanged, save, discard, ...sending }
}
