import { useState } from 'preact/hooks'
import type { ApiToken } from '#client/src/resources.ts'
import type { ApiTokenWithValue } from '#client/src/user-resources.ts'
import { tokenFields } from '#shared/domain/token/fields.ts'
import { navigate } from '../../address/location.ts'
import { account } from '../../api/client.ts'
import { fieldErrors } from '../../api/field-errors.ts'
import { refresh } from '../../api/resource.ts'
import { announce } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Agree } from '../../parts/dialog.tsx'
import { Field, Switch, TextField } from '../../parts/field.tsx'
import { Ago } from '../../parts/text.tsx'
import { TokenValue } from './token-value.tsx'
import type { useTokenDraft } from './use-token.ts'

type TokenSettingsProps = { token: ApiToken; form: ReturnType<typeof useTokenDraft> }

/** What a token is called, where and how long it may be used, its value, and its end. */
export function TokenSettings({ token, form }: TokenSettingsProps) {
  const { draft, edit, error } = form
  const problem = (field: string) => error && fieldErrors(error).get(field)
  return (
    <div class="settings">
      <section class="form" aria-label="Names">
        <h2>Names</h2>
        <TextField label="Name" value={draft.name} onValue={(name) => edit({ name })} problem={problem('name')} />
        <TextField
          label="Description"
          lines={3}
          value={draft.description}
          onValue={(description) => edit({ description })}
          problem={problem('description')}
        />
      </section>
      <Use form={form} />
      <Ends token={token} />
    </div>
  )
}

/** Whether, from where, how often and how long a token may be used. */
function Use({ form: { draft, edit, error } }: Pick<TokenSettingsProps, 'form'>) {
  const problem = (field: string) => error && fieldErrors(error).get(field)
  const [typed, setTyped] = useState('')
  // What is typed stays as long as it says the same.
  const networks = String(networksIn(typed)) === String(draft.ips) ? typed : (draft.ips?.join(', ') ?? '')
  return (
    <section class="form" aria-label="Use">
      <h2>Use</h2>
      <Switch
        label="Activated"
        help={tokenFields.activated.about}
        on={draft.activated}
        onChange={(activated) => edit({ activated })}
      />
      <TextField
        label="Networks"
        help="Such as 10.0.0.0/8, with commas between them; empty: from anywhere."
        mono
        value={networks}
        onValue={(text) => {
          setTyped(text)
          edit({ ips: networksIn(text) })
        }}
        problem={problem('ips')}
      />
      <TextField
        label="Requests a minute"
        help="A limit of its own, as a token that is public needs. Empty: as many as the plan allows."
        mono
        value={`${draft.rateLimit ?? ''}`}
        onValue={(text) => edit({ rateLimit: rateOf(text.trim()) })}
        problem={problem('rateLimit')}
      />
      <Field
        label="Expires"
        help="Empty: never."
        problem={problem('expiresAt')}
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

/** What is no number goes as it was typed: the server says what is wrong with it. */
function rateOf(text: string): number | null {
  if (text === '') return null
  return /^\d+$/.test(text) ? Number(text) : (text as never)
}

/** As fields of the browser write a time: where the reader lives, to the minute. */
function localTime(at: string | null): string {
  if (at === null) return ''
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function Ends({ token }: { token: ApiToken }) {
  const [asks, setAsks] = useState<'rotate' | 'delete'>()
  const [rotated, setRotated] = useState<ApiTokenWithValue>()
  const close = () => setAsks(undefined)
  const rotate = async () => {
    setRotated(await account.tokens.rotate(token.id))
    refresh('token')
    close()
  }
  const remove = async () => {
    await account.tokens.delete(token.id)
    refresh('token')
    navigate('/tokens', { replace: true, unasked: true })
    announce(`The token ${token.name} was deleted.`)
  }
  const use = token.lastUsedAt ? (
    <>
      It was used last <Ago at={token.lastUsedAt} />.
    </>
  ) : (
    <>It has never been used.</>
  )
  return (
    <section class="form" aria-label="Value and end">
      <h2>Value and end</h2>
      <p class="muted">Whoever has the old value is refused at once. {use}</p>
      <div class="row">
        <Button icon="again" onPress={() => setAsks('rotate')}>
          New value…
        </Button>
        <Button kind="bad" onPress={() => setAsks('delete')}>
          Delete the token…
        </Button>
      </div>
      {asks === 'rotate' && (
        <Agree title={`Give ${token.name} a new value?`} action="Give it a new value" onAgree={rotate} onClose={close}>
          <p>The value that programs have now is refused from then on. {use}</p>
        </Agree>
      )}
      {asks === 'delete' && (
        <Agree
          title={`Delete ${token.name}?`}
          action="Delete the token"
          typed={token.name}
          onAgree={remove}
          onClose={close}
        >
          <p>Programs that use it are refused from then on. {use} What it did stays in the event log.</p>
        </Agree>
      )}
      {rotated && <TokenValue token={rotated} onClose={() => setRotated(undefined)} />}
    </section>
  )
}
