import { useState } from 'preact/hooks'
import { password as limits } from '#shared/domain/limits.ts'
import { Form } from '../../forms/form.tsx'
import { Button } from '../../parts/controls/button.tsx'
import { TextField } from '../../parts/controls/field.tsx'
import { Problem } from '../../parts/problems/problem.tsx'
import { useOwnUserForm } from './own-user-form.ts'

/** @param email for password managers, which store a password with its user */
export function PasswordForm({ email }: { email: string }) {
  const [password, setPassword] = useState('')
  const [currentPassword, setCurrentPassword] = useState('')
  const [isShown, setShown] = useState(false)
  const { busy, problems, other, send } = useOwnUserForm()
  const type = isShown ? 'text' : 'password'
  const save = async () => {
    if (busy) return
    const isStored = await send(
      { password, currentPassword },
      'Your password was changed. All other sessions have ended.',
    )
    setCurrentPassword('')
    if (isStored) setPassword('')
  }
  return (
    <Form label="Password" problems={problems} onSend={save}>
      <input type="hidden" name="username" autocomplete="username" value={email} />
      <TextField
        label="Current password"
        type={type}
        autocomplete="current-password"
        value={currentPassword}
        problem={problems.get('currentPassword')}
        onValue={setCurrentPassword}
        required
      />
      <TextField
        label="New password"
        type={type}
        autocomplete="new-password"
        help={`At least ${limits.minLength} characters.`}
        value={password}
        problem={problems.get('password')}
        onValue={setPassword}
        required
      />
      {other && <Problem error={other} />}
      <div class="row">
        <Button sends busy={busy} disabled={!password || !currentPassword}>
          Change password
        </Button>
        <Button kind="quiet" icon="see" pressed={isShown} onPress={() => setShown(!isShown)}>
          Show both
        </Button>
      </div>
    </Form>
  )
}
