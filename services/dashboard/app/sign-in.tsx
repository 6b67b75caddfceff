import { useState } from 'preact/hooks'
import { signIn } from '../api/client.ts'
import { useSaving } from '../forms/use-saving.ts'
import { Button } from '../parts/controls/button.tsx'
import { TextField } from '../parts/controls/field.tsx'
import { Icon } from '../parts/controls/icon.tsx'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import { Note } from '../parts/display/marks.tsx'
import { Problem } from '../parts/problems/problem.tsx'

/** The page for users who are not signed in. It keeps the address, so that a link still opens its page after the sign-in. */
export function SignInPage() {
  return (
    <main class="door">
      <div class="card stack">
        <div class="row brand">
          <Icon name="brand" />
          <h1>Sign in to listd</h1>
        </div>
        <SignInForm />
      </div>
    </main>
  )
}

/** Asks to sign in again when the session ends while the page is open. The page below stays as it is. */
export function SignInDialog({ email }: { email: string }) {
  return (
    <Dialog title="Sign in again" onClose={() => {}} stays covers>
      <p class="muted lead">Your session has ended. Sign in to continue. Nothing on this page is lost.</p>
      <SignInForm email={email} />
    </Dialog>
  )
}

function SignInForm({ email: known = '' }: { email?: string }) {
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState('')
  const [isShown, setShown] = useState(false)
  const { run, busy, error } = useSaving()
  const [isCapsLock, setCapsLock] = useState(false)
  const send = async (event: Event) => {
    event.preventDefault()
    await run(() => signIn(email, password))
    setPassword('')
  }
  return (
    <form class="form" onSubmit={send} onKeyUp={(event) => setCapsLock(event.getModifierState?.('CapsLock') ?? false)}>
      <TextField
        label="E-mail"
        type="email"
        autocomplete="username"
        value={email}
        onValue={setEmail}
        autofocus={!known}
        required
      />
      <TextField
        label="Password"
        type={isShown ? 'text' : 'password'}
        autocomplete="current-password"
        value={password}
        onValue={setPassword}
        autofocus={known !== ''}
        help={isCapsLock ? 'Caps lock is on.' : undefined}
        required
      />
      {error && (error.name === 'USER_NOT_AUTHENTICATED' ? <Wrong /> : <Problem error={error} />)}
      <div class="ends">
        <Button kind="quiet" icon="see" pressed={isShown} onPress={() => setShown(!isShown)}>
          Show password
        </Button>
        <Button kind="primary" sends busy={busy}>
          Sign in
        </Button>
      </div>
      <p class="muted small">
        Forgot your password? The operator of this server can set a new one: <code>listd user set-password</code>
      </p>
    </form>
  )
}

function Wrong() {
  return (
    <Note tone="bad">
      <span role="alert">Wrong e-mail or password.</span>
    </Note>
  )
}
