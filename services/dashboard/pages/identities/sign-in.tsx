import { useState } from 'preact/hooks'
import type { OwnIdentity } from '#client/src/types/resources.ts'
import { password as limits } from '#shared/domain/limits.ts'
import { client } from '../../api/client.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useAction, useSaving } from '../../forms/use-saving.ts'
import { announce } from '../../parts/controls/announce.tsx'
import { Button } from '../../parts/controls/button.tsx'
import { TextField } from '../../parts/controls/field.tsx'
import { ShownOnce } from '../../parts/dialogs/shown-once.tsx'
import { countOf } from '../../parts/display/text.tsx'

type Issued = { what: string; token: string; expiresAt: string }

/** The sign-in of an identity: its password, and the tokens to reset it and to verify the e-mail. */
export function SignIn({ identity }: { identity: OwnIdentity }) {
  const { id: identityId, email, hasPassword, activated } = identity
  const [isSetting, setSetting] = useState(false)
  const [issued, setIssued] = useState<Issued>()
  const { act } = useAction()
  const issue = (read: () => Promise<Issued | null>) =>
    act(async () => {
      const created = await read()
      if (created) setIssued(created)
      else announce('No token was created: the identity was deleted or switched off.', { bad: true })
    })
  const reset = () =>
    issue(async () => {
      const { resetToken: token, expiresAt } = await client.identities.requestPasswordReset({ identityId })
      return token && expiresAt ? { what: 'Reset token', token, expiresAt } : null
    })
  const verify = () =>
    issue(async () => {
      const { verificationToken: token, expiresAt } = await client.identities.requestEmailVerification({ identityId })
      return token && expiresAt ? { what: 'Verification token', token, expiresAt } : null
    })
  return (
    <section class="form" aria-label="Sign-in">
      <h2>Sign-in</h2>
      <p class="muted">
        {hasPassword ? 'This identity has a password.' : 'This identity has no password and cannot sign in.'} You have
        to send the token yourself: listd does not send e-mail. A new token replaces the previous one.
      </p>
      <div class="row wraps">
        <Button onPress={() => setSetting(true)}>Set a password…</Button>
        <Button disabled={!activated} onPress={reset}>
          Issue a reset token
        </Button>
        <Button disabled={!activated || email === null} onPress={verify}>
          Issue a verification token
        </Button>
      </div>
      {isSetting && <SetPassword identity={identity} onClose={() => setSetting(false)} />}
      {issued && (
        <ShownOnce
          title={issued.what}
          what="The token"
          value={issued.token}
          note={`It is shown only once, works once, and expires at ${new Date(issued.expiresAt).toLocaleString()}.`}
          onClose={() => setIssued(undefined)}
        />
      )}
    </section>
  )
}

function SetPassword({ identity: { id, sessionCount }, onClose }: { identity: OwnIdentity; onClose: () => void }) {
  const [password, setPassword] = useState('')
  const { run, ...saving } = useSaving()
  const save = async () => {
    await client.identities.update(id, { password })
    onClose()
  }
  return (
    <FormDialog
      title="Set a password"
      action="Set the password"
      saving={saving}
      disabled={!password}
      onSend={() => run(save, { said: 'The password was set.', stale: 'identit' })}
      onClose={onClose}
    >
      <p>This ends {countOf(sessionCount, 'active session')} of the identity and makes its one-time tokens invalid.</p>
      <TextField
        label="New password"
        type="password"
        autocomplete="new-password"
        help={`At least ${limits.minLength} characters. Its group may require more.`}
        value={password}
        problem={saving.problems.get('password')}
        onValue={setPassword}
        autofocus
        required
      />
    </FormDialog>
  )
}
