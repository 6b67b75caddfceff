import { useState } from 'preact/hooks'
import { route } from '#client/src/transport.ts'
import type { WebhookWithSecret } from '#client/src/types/user-resources.ts'
import { navigate } from '../../address/location.ts'
import { account } from '../../api/client.ts'
import { Form } from '../../forms/form.tsx'
import { useEdits } from '../../forms/use-edits.ts'
import { Button } from '../../parts/controls/button.tsx'
import { LeaveGuard } from '../../parts/dialogs/leave-guard.tsx'
import { webhooksCrumb } from '../../parts/page/crumbs.ts'
import { Page } from '../../parts/page/page.tsx'
import { Problem } from '../../parts/problems/problem.tsx'
import { draftProblems, fieldsOf, newWebhook } from './form/webhook-draft.ts'
import { WebhookFieldset, webhookProblems } from './form/webhook-form.tsx'
import { ShownSecret } from './shown-secret.tsx'

/** Creates a webhook. Its URL is called before it is saved, and its secret is shown once. */
export function NewWebhookPage() {
  const [created, setCreated] = useState<WebhookWithSecret>()
  const form = useEdits({
    stored: newWebhook,
    changesOf: fieldsOf,
    check: draftProblems,
    write: async (fields) => setCreated(await account.webhooks.create(fields)),
    stale: 'webhook',
    problemsOf: webhookProblems,
  })
  const { edits, problems, other, busy, save } = form
  const isTouched = Object.keys(edits).length > 0 && !created
  return (
    <Page title="New webhook" crumbs={[webhooksCrumb]}>
      {isTouched && <LeaveGuard what="The new webhook" />}
      <Form class="settings" label="New webhook" problems={problems} onSend={() => !created && save()}>
        {other && <Problem error={other} />}
        <WebhookFieldset headerNames={[]} form={form} />
        <div class="ends">
          <Button kind="primary" sends busy={busy} disabled={created !== undefined}>
            Create the webhook
          </Button>
        </div>
      </Form>
      {created && (
        <ShownSecret
          secret={created.secret}
          onClose={() => navigate(route`/webhooks/${created.id}`, { replace: true })}
        />
      )}
    </Page>
  )
}
