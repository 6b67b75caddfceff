import { useState } from 'preact/hooks'
import type { ListdError } from '#client/src/error.ts'
import { route } from '#client/src/transport.ts'
import { navigate } from '../../address/location.ts'
import { client } from '../../api/client.ts'
import { fieldErrors } from '../../api/field-errors.ts'
import { refresh, toListdError } from '../../api/resource.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'

/** Makes an identity on behalf of the account. @param group the one that is looked at */
export function NewIdentity({ group }: { group: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button kind="primary" icon="add" onPress={() => setOpen(true)}>
        New identity…
      </Button>
      {isOpen && <NewIdentityDialog group={group} onClose={() => setOpen(false)} />}
    </>
  )
}

function NewIdentityDialog({ group: given, onClose }: { group: string; onClose: () => void }) {
  const [fields, setFields] = useState({ name: '', email: '', group: given, password: '' })
  const [error, setError] = useState<ListdError>()
  const [busy, setBusy] = useState(false)
  const create = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    const { name, email, group, password } = fields
    const others = { ...(email && { email }), ...(group && { group }), ...(password && { password }) }
    try {
      const { id } = await client.identities.create({ name, ...others })
      refresh('identities')
      navigate(route`/identities/${id}`)
    } catch (failure) {
      setError(toListdError(failure))
    }
    setBusy(false)
  }
  const problems = error && fieldErrors(error)
  const field = (name: keyof typeof fields, label: string, help?: string) => ({
    label,
    help,
    value: fields[name],
    problem: problems?.get(name),
    onValue: (value: string) => setFields({ ...fields, [name]: value }),
  })
  return (
    <Dialog title="New identity" onClose={onClose}>
      <form class="form" onSubmit={create}>
        <TextField {...field('name', 'Name', 'What it signs in with.')} required autofocus />
        <TextField {...field('group', 'Group', 'Empty: none. A group that is not there is made.')} />
        <TextField {...field('email', 'E-mail')} type="email" />
        <TextField
          {...field('password', 'Password', 'Empty: it cannot sign in until it gets one.')}
          type="password"
          autocomplete="new-password"
        />
        {error && !problems?.size && <Problem error={error} />}
        <div class="ends">
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" sends busy={busy}>
            Create the identity
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
