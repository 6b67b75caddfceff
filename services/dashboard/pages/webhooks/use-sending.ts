import { useState } from 'preact/hooks'
import type { ListdError } from '#client/src/error.ts'
import { toListdError } from '../../api/resource.ts'
import { draftProblems, type WebhookDraft } from './webhook-draft.ts'
import { webhookProblems } from './webhook-form.tsx'

const noProblems: ReadonlyMap<string, string> = new Map()

/** What the forms of a webhook share: a draft is looked at and sent, and what is wrong with it stands at its fields. */
export function useSending() {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ListdError>()
  const [problems, setProblems] = useState(noProblems)
  const clear = () => {
    setProblems(noProblems)
    setError(undefined)
  }
  const send = async (draft: WebhookDraft, call: () => Promise<void>) => {
    if (busy) return
    const wrong = draftProblems(draft)
    setProblems(wrong)
    setError(undefined)
    if (wrong.size > 0) return
    setBusy(true)
    try {
      await call()
    } catch (failure) {
      const refused = toListdError(failure)
      setProblems(webhookProblems(refused))
      setError(refused)
    }
    setBusy(false)
  }
  return { busy, problems, other: problems.size > 0 ? undefined : error, send, clear }
}
