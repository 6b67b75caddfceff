import { useState } from 'preact/hooks'
import type { User } from '#client/src/types/user-resources.ts'
import { Form } from '../../forms/form.tsx'
import { Button } from '../../parts/controls/button.tsx'
import { TextField } from '../../parts/controls/field.tsx'
import { Problem } from '../../parts/problems/problem.tsx'
import { useOwnUserForm } from './own-user-form.ts'

/** Name and e-mail. A change of the e-mail requires the password, because the e-mail signs the user in. */
export function ProfileForm({ user }: { user: User }) {
  const [name, setName] = useState(user.displayName ?? '')
  const [email, setEmail] = useState(user.email)
  const [currentPassword, setCurrentPassword] = useState('')
  const { busy, problems, other, send } = useOwnUserForm()
  const isOtherEmail = email.trim() !== user.email
  const isChanged = isOtherEmail || name.trim() !== (user.displayName ?? '')
  const save = () => {
    if (!isChanged) return
    const displayName = name.trim() || null
    send(
      isOtherEmail ? { displayName, email: email.trim(), currentPassword } : { displayName },
      'Your profile was saved.',
    )
  }
  return (
    <Form label="You" problems={problems} onSend={save}>
      <TextField
        label="Display name"
        autocomplete="name"
        value={name}
        problem={problems.get('displayName')}
        onValue={setName}
      />
      <TextField
        label="E-mail"
        type="email"
        autocomplete="username"
        value={email}
        problem={problems.get('email')}
        onValue={setEmail}
        required
      />
      {isOtherEmail && (
        <TextField
          label="Your password"
          type="password"
          autocomplete="current-password"
          help="You sign in with your e-mail, so changing it requires your password and ends all other sessions."
          value={currentPassword}
          problem={problems.get('currentPassword')}
          onValue={setCurrentPassword}
          required
        />
      )}
      {other && <Problem error={other} />}
      <div>
        <Button kind="primary" sends busy={busy} disabled={!isChanged}>
          Save
        </Button>
      </div>
    </Form>
  )
}
