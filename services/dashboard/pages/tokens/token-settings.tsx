import { useState } from 'preact/hooks'
import type { ApiToken, ApiTokenWithValue } from '#client/src/types/user-resources.ts'
import { tokenFields } from '#shared/domain/token/fields.ts'
import { account } from '../../api/client.ts'
import { refresh } from '../../api/reader.ts'
import { DeleteButton } from '../../forms/delete-section.tsx'
import { Agree } from '../../forms/form-dialog.tsx'
import { Button } from '../../parts/controls/button.tsx'
import { Field, Switch, TextField } from '../../parts/controls/field.tsx'
import { Ago } from '../../parts/display/text.tsx'
import { TokenValue } from './token-value.tsx'
import type { TokenForm } from './use-token-form.ts'

type TokenSettingsProps = { token: ApiToken; form: TokenForm }

/** The names of a token, where and how long it can be used, and the buttons to replace its value or delete it. */
export function TokenSettings({ token, form }: TokenSettingsProps) {
  return (
    <div class="settings">
      <section class="form" aria-label="Names">
        <h2>Names</h2>
        <TextField label="Name" {...form.text('name')} />
        <TextField label="Description" lines={3} {...form.text('description')} />
      </section>
      <Use form={form} />
      <Ends token={token} />
    </div>
  )
}

/** Whether, from where, how often and how long a token can be used. */
function Use({ form: { draft, edit, flag, problems } }: Pick<TokenSettingsProps, 'form'>) {
  const [typed, setTyped] = useState('')
  // The typed text stays while it means the same networks.
  const networks = String(networksIn(typed)) === String(draft.ips) ? typed : (draft.ips?.join(', ') ?? '')
  return (
    <section class="form" aria-label="Use">
      <h2>Use</h2>
      <Switch label="Activated" help={tokenFields.activated.about} {...flag('activated')} />
      <TextField
        label="Networks"
        help="For example 10.0.0.0/8, separated by commas. Leave empty to allow any."
        mono
        value={networks}
        onValue={(text) => {
          setTyped(text)
          edit({ ips: networksIn(text) })
        }}
        problem={problems.get('ips')}
      />
      <TextField
        label="Requests a minute"
        help="A separate limit, for example for a public token. Leave empty for the limit of the plan."
        mono
        value={`${draft.rateLimit ?? ''}`}
        onValue={(text) => edit({ rateLimit: rateOf(text.trim()) })}
        problem={problems.get('rateLimit')}
      />
      <Field
        label="Expires"
        help="Leave empty for never."
        problem={problems.get('expiresAt')}
        control={(ids) => (
          <input
            {...ids}
            class="input"
            type="datetime-local"
            value={localTime(draft.expiresAt)}
            onInput={({ currentTarget: { value } }) =>
              edit({ expiresAt: value ? new Date(value).toISOString() : null })
            }
          />
        )}
      />
    </section>
  )
}

function networksIn(text: string): string[] | null {
  const found = text.split(',').flatMap((one) => one.trim() || [])
  return found.length > 0 ? found : null
}

/** A text that is not a number is sent as it was typed: the server reports the error. */
function rateOf(text: string): number | null {
  if (text === '') return null
  return /^\d+$/.test(text) ? Number(text) : (text as never)
}

/** A time in the format of the browser's fields: in the reader's time zone, to the minute. */
function localTime(at: string | null): string {
  if (at === null) return ''
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function Ends({ token }: { token: ApiToken }) {
  const [asks, setAsks] = useState(false)
  const [rotated, setRotated] = useState<ApiTokenWithValue>()
  const { id, name, lastUsedAt } = token
  const rotate = async () => {
    setRotated(await account.tokens.rotate(id))
    refresh('token')
    setAsks(false)
  }
  const use = lastUsedAt ? (
    <>
      It was last used <Ago at={lastUsedAt} />.
    </>
  ) : (
    <>It has never been used.</>
  )
  return (
    <section class="form" aria-label="Value and end">
      <h2>Value and end</h2>
      <p class="muted">Programs with the old value are rejected at once. {use}</p>
      <div class="row">
        <Button icon="again" onPress={() => setAsks(true)}>
          New value…
        </Button>
        <DeleteButton
          what="token"
          name={name}
          typed={name}
          remove={() => account.tokens.delete(id)}
          stale="token"
          to="/tokens"
        >
          <p>Programs that use it are rejected from then on. {use} What it did stays in the event log.</p>
        </DeleteButton>
      </div>
      {asks && (
        <Agree
          title={`Give ${name} a new value?`}
          action="Give it a new value"
          onAgree={rotate}
          onClose={() => setAsks(false)}
        >
          <p>The value that programs have now is rejected from then on. {use}</p>
        </Agree>
      )}
      {rotated && <TokenValue token={rotated} onClose={() => setRotated(undefined)} />}
    </section>
  )
}
