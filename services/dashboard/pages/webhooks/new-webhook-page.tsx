import { useEffect, useRef, useState } from 'preact/hooks'
import type { ListdError } from '../../../../client/src/error.ts'
import { route } from '../../../../client/src/transport.ts'
import type { WebhookWithSecret } from '../../../../client/src/user-resources.ts'
import { navigate } from '../../address/location.ts'
import { account } from '../../api/client.ts'
import { refresh, toListdError } from '../../api/resource.ts'
import { Button } from '../../parts/button.tsx'
import { LeaveGuard } from '../../parts/leave-guard.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { ShownSecret } from './shown-secret.tsx'
import { draftProblems, fieldsOf, newWebhook, type WebhookDraft } from './webhook-draft.ts'
import { WebhookFieldset, webhookProblems } from './webhook-form.tsx'

/** Makes a webhook; its url is called before it is saved, and its secret is shown once. */
export function NewWebhookPage() {
  const [edits, setEdits] = useState<Partial<WebhookDraft>>({})
  const { create, busy, problems, other, made } = useCreation()
  const draft = { ...newWebhook, ...edits }
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [problems])
  const isTouched = Object.values(edits).length > 0 && !made
  return (
    <Page title="New webhook" crumbs={[{ to: '/webhooks', label: 'Webhooks' }]}>
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

const noProblems: ReadonlyMap<string, string> = new Map()

function useCreation() {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ListdError>()
  const [problems, setProblems] = useState(noProblems)
  const [made, setMade] = useState<WebhookWithSecret>()
  const create = async (draft: WebhookDraft) => {
    if (busy || made) return
    const wrong = draftProblems(draft)
    setProblems(wrong)
    setError(undefined)
    if (wrong.size > 0) return
    setBusy(true)
    try {
      setMade(await account.webhooks.create(fieldsOf(draft)))
      refresh('webhook')
    } catch (failure) {
      const refused = toListdError(failure)
      setProblems(webhookProblems(refused))
      setError(refused)
    }
    setBusy(false)
  }
  return { create, busy, problems, other: problems.size > 0 ? undefined : error, made }
}
