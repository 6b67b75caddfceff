import { useState } from 'preact/hooks'
import { route } from '#client/src/transport.ts'
import { navigate } from '../../address/location.ts'
import { client } from '../../api/client.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSaving } from '../../forms/use-saving.ts'
import { Button } from '../../parts/controls/button.tsx'
import { TextField } from '../../parts/controls/field.tsx'

/** Creates an identity on behalf of the account. @param group the group that is shown, as the default */
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
  const { run, ...saving } = useSaving()
  const create = async () => {
    const { name, email, group, password } = fields
    const others = { ...(email && { email }), ...(group && { group }), ...(password && { password }) }
    const { id } = await client.identities.create({ name, ...others })
    navigate(route`/identities/${id}`)
  }
  const field = (name: keyof typeof fields, label: string, help?: string) => ({
    label,
    help,
    value: fields[name],
    problem: saving.problems.get(name),
    onValue: (value: string) => setFields({ ...fields, [name]: value }),
  })
  return (
    <FormDialog
      title="New identity"
      action="Create identity"
      saving={saving}
      onSend={() => run(create, { stale: 'identities' })}
      onClose={onClose}
    >
      <TextField {...field('name', 'Name', 'Used to sign in.')} required autofocus />
      <TextField {...field('group', 'Group', 'Optional. A group that does not exist is created.')} />
      <TextField {...field('email', 'E-mail')} type="email" />
      <TextField
        {...field('password', 'Password', 'Optional. Without a password the identity cannot sign in.')}
        type="password"
        autocomplete="new-password"
      />
    </FormDialog>
  )
}
