import { useState } from 'preact/hooks'
import type { Verification, Webhook } from '#client/src/types/user-resources.ts'
import { account } from '#services/dashboard/api/client.ts'
import { Form } from '#services/dashboard/forms/form.tsx'
import { useSaving } from '#services/dashboard/forms/use-saving.ts'
import { Button } from '#services/dashboard/parts/controls/button.tsx'
import { TextField } from '#services/dashboard/parts/controls/field.tsx'
import { Dot, Note } from '#services/dashboard/parts/display/marks.tsx'
import { Problem } from '#services/dashboard/parts/problems/problem.tsx'
import { readHeaders } from './received.ts'

/** Checks whether a received request is from this webhook, and shows why if it is not. */
export function VerifyTool({ webhook: { id } }: { webhook: Webhook }) {
  const [headerText, setHeaderText] = useState('')
  const [body, setBody] = useState('')
  const [problem, setProblem] = useState<string>()
  const [found, setFound] = useState<Verification>()
  const { run, busy, error } = useSaving()
  const verify = async () => {
    const headers = readHeaders(headerText)
    setProblem(headers ? undefined : 'No headers found. Paste one header per line, as name: value.')
    if (!headers) return
    const isTaken = await run(async () => setFound(await account.webhooks.verify(id, { headers, body })))
    if (!isTaken) setFound(undefined)
  }
  return (
    <Form label="Verify a request" onSend={verify}>
      <h2>Why does my receiver reject it?</h2>
      <p class="muted">Paste what your receiver got. It is not stored.</p>
      <TextField
        label="Headers"
        lines={5}
        mono
        placeholder={'webhook-id: …\nwebhook-timestamp: …\nwebhook-signature: v1,…'}
        value={headerText}
        problem={problem}
        onValue={setHeaderText}
      />
      <TextField
        label="Body"
        lines={5}
        mono
        help="The exact bytes received. A body that was parsed and printed again differs."
        value={body}
        onValue={setBody}
      />
      <div>
        <Button sends busy={busy} disabled={headerText.trim() === ''}>
          Verify
        </Button>
      </div>
      {error && <Problem error={error} />}
      {found && <Found found={found} />}
    </Form>
  )
}

function Found({ found: { valid, checks } }: { found: Verification }) {
  return (
    <div class="form" role="status">
      <Note tone={valid ? 'good' : 'bad'}>
        <b>{valid ? 'It is from this webhook.' : 'A receiver rejects this.'}</b>
      </Note>
      <ul class="form" role="list">
        {checks.map(({ name, ok, message }) => (
          <li key={name} class="row">
            <Dot tone={ok ? 'good' : 'bad'} />
            <span class="unseen">{ok ? 'right: ' : 'wrong: '}</span>
            <span class="grow">{message}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
