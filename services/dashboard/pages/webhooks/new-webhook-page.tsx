import { useEffect, useRef, useState } from 'preact/hooks'
import { route } from '#client/src/transport.ts'
import type { WebhookWithSecret } from '#client/src/user-resources.ts'
import { navigate } from '../../address/location.ts'
import { account } from '../../api/client.ts'
import { refresh } from '../../api/resource.ts'
import { Button } from '../../parts/button.tsx'
import { webhooksCrumb } from '../../parts/crumbs.ts'
import { LeaveGuard } from '../../parts/leave-guard.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { ShownSecret } from './shown-secret.tsx'
import { useSending } from './use-sending.ts'
import { fieldsOf, newWebhook, type WebhookDraft } from './webhook-draft.ts'
import { WebhookFieldset } from './webhook-form.tsx'

/** Makes a webhook; its url is called before it is saved, and its secret is shown once. */
export function NewWebhookPage() {
  const [edits, setEdits] = useState<Partial<WebhookDraft>>({})
  const { create, busy, problems, other, made } = useCreation()
  const draft = { ...newWebhook, ...edits }
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [problems])
  const isTouched = Object.values(edits).length > 0 && !made
  return (
    <Page title="New webhook" crumbs={[webhooksCrumb]}>
      {isTouched && <LeaveGuard what="The new webhook" />}
      <form
        ref={form}
        class="settings"
        aria-label="New webhook"
        onSubmit={(event) => {
          event.preventDefault()
          create(draft)
        }}
      >
        {other && <Problem error={other} />}
        <WebhookFieldset
          headerNames={[]}
          draft={draft}
          edit={(change) => setEdits({ ...edits, ...change })}
          problems={problems}
        />
        <div class="ends">
          <Button kind="primary" sends busy={busy} disabled={made !== undefined}>
            Create the webhook
          </Button>
        </div>
      </form>
      {made && (
        <ShownSecret secret={made.secret} onClose={() => navigate(route`/webhooks/${made.id}`, { replace: true })} />
      )}
    </Page>
  )
}

function useCreation() {
  const [made, setMade] = useState<WebhookWithSecret>()
  const { send, ...sending } = useSending()
  const create = (draft: WebhookDraft) => {
    if (made) return
    send(draft, async () => {
      setMade(await account.webhooks.create(fieldsOf(draft)))
      refresh('webhook')
    })
  }
  return { create, made, ...sending }
}
