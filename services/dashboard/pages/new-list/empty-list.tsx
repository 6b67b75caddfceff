import { useState } from 'preact/hooks'
import { Form } from '../../forms/form.tsx'
import { Button } from '../../parts/controls/button.tsx'
import { TextField } from '../../parts/controls/field.tsx'
import { LeaveGuard } from '../../parts/dialogs/leave-guard.tsx'
import { sentence } from '../../parts/display/text.tsx'
import { Page, type PageFrame } from '../../parts/page/page.tsx'
import { Problem } from '../../parts/problems/problem.tsx'
import { NameFields, useNames } from './list-fields.tsx'
import { useMaking } from './use-making.ts'

/** Creates a list without a schema, indexes or items. */
export function EmptyList({ frame }: { frame: PageFrame }) {
  const names = useNames('', null)
  const [description, setDescription] = useState('')
  const { make, busy, error, rejected } = useMaking()
  const { name, pathName, problem } = names
  const canMake = pathName !== '' && problem === undefined
  const send = () => {
    if (canMake && !busy) make({ name, pathName, description, schema: null, indexes: [] }, [])
  }
  return (
    <Page {...frame}>
      {(name || description) && <LeaveGuard what="The new list" />}
      <Form class="form new-list-form" onSend={send}>
        <NameFields names={names} rejected={rejected} disabled={busy} />
        <TextField
          label="Description"
          value={description}
          onValue={setDescription}
          lines={3}
          problem={rejected.description && sentence(rejected.description)}
          disabled={busy}
        />
        {error && <Problem error={error} />}
        {rejected.others.map((message) => (
          <p key={message} class="wrong" role="alert">
            {sentence(message)}
          </p>
        ))}
        <div class="row">
          <Button kind="primary" sends busy={busy} disabled={!canMake}>
            Create list
          </Button>
          {!pathName && <span class="muted">Enter a name.</span>}
        </div>
      </Form>
    </Page>
  )
}
