import type { Webhook } from '#client/src/types/user-resources.ts'
import { account } from '../../api/client.ts'
import { Form } from '../../forms/form.tsx'
import { useEdits } from '../../forms/use-edits.ts'
import { Button } from '../../parts/controls/button.tsx'
import { LeaveGuard } from '../../parts/dialogs/leave-guard.tsx'
import { usePageKeys } from '../../parts/page/page-keys.ts'
import { Problem } from '../../parts/problems/problem.tsx'
import { DeleteWebhook } from './delete-webhook.tsx'
import { changesOf, draftOf, draftProblems, type WebhookDraft } from './form/webhook-draft.ts'
import { WebhookFieldset, webhookProblems } from './form/webhook-form.tsx'
import { SecretSection } from './secret-section.tsx'
import { SwitchWebhook } from './switch-webhook.tsx'

/** The settings of a webhook: its receiver and events, its secret, and the buttons to stop or delete it. */
export function SettingsTab({ webhook }: { webhook: Webhook }) {
  const form = useEdits({
    stored: draftOf(webhook),
    changesOf: (draft: WebhookDraft) => changesOf(webhook, draft),
    check: draftProblems,
    write: (changes) => account.webhooks.update(webhook.id, changes),
    said: 'The webhook was saved.',
    stale: 'webhook',
    problemsOf: webhookProblems,
  })
  const { changed, problems, other, busy, save, discard } = form
  const isChanged = changed > 0
  usePageKeys([{ key: 'Ctrl s', what: 'Save', run: save }])
  return (
    <div class="settings">
      <Form label="Settings of the webhook" problems={problems} onSend={save}>
        {isChanged && <LeaveGuard what="Your changes to the webhook" parameters={['tab']} />}
        {other && <Problem error={other} />}
        <WebhookFieldset headerNames={webhook.headerNames} form={form} />
        <div class="ends">
          <Button kind="quiet" disabled={!isChanged || busy} onPress={discard}>
            Discard
          </Button>
          <Button kind="primary" sends busy={busy} disabled={!isChanged}>
            Save
          </Button>
        </div>
      </Form>
      <SwitchWebhook webhook={webhook} />
      <SecretSection webhook={webhook} />
      <DeleteWebhook webhook={webhook} />
    </div>
  )
}
