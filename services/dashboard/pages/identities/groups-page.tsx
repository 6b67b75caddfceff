import { useState } from 'preact/hooks'
import { contains } from '#client/src/filters.ts'
import { route } from '#client/src/transport.ts'
import type { IdentityGroup } from '#client/src/user-resources.ts'
import { hrefOf, navigate } from '../../address/location.ts'
import { account } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSaving } from '../../forms/use-saving.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { nameSought } from '../../parts/find-by-name.tsx'
import { Pill } from '../../parts/marks.tsx'
import { NamedPage } from '../../parts/named-page.tsx'
import { pageNumber } from '../../parts/numbered-pages.tsx'
import { Empty } from '../../parts/problem.tsx'
import { Table } from '../../parts/table.tsx'
import { count } from '../../parts/text.tsx'
import { durationWords } from './duration.ts'
import { IdentityTabs } from './identity-tabs.tsx'

const pageSize = 50

/** The groups of identities, each with rules of its own for signing in. */
export function GroupsPage() {
  const name = nameSought()
  const number = pageNumber()
  const groups = useResource(`groups page ${number} ${name}`, (signal) =>
    account.groups
      .all({ where: name ? { name: contains(name) } : {}, order: 'name', direction: 'asc', limit: pageSize, signal })
      .page(number),
  )
  return (
    <NamedPage
      title="Groups"
      what="a group"
      many="groups"
      things={groups}
      pageSize={pageSize}
      tabs={<IdentityTabs on="groups" />}
      actions={<NewGroup />}
      empty={<NoGroups />}
    >
      {(data) => <GroupTable groups={data} />}
    </NamedPage>
  )
}

function NoGroups() {
  return (
    <Empty title="A group holds identities that sign in by the same rules" action={<NewGroup />}>
      The first registration in a group makes it. Identities without a group stay signed in for 7 days.
    </Empty>
  )
}

function GroupTable({ groups }: { groups: readonly IdentityGroup[] }) {
  return (
    <Table columns={['group', 'signed in for', 'idle', { figures: 'password' }, 'e-mail']}>
      <tbody>
        {groups.map((group) => (
          <tr key={group.id}>
            <td class="lead">
              <a href={hrefOf(route`/identity-groups/${group.name}`)}>{group.name}</a>
            </td>
            <td class="when">{durationWords(group.sessionLifetimeSeconds)}</td>
            <td class="optional muted">
              {group.sessionIdleSeconds === null ? 'no end' : durationWords(group.sessionIdleSeconds)}
            </td>
            <td class="optional num">{count(group.minPasswordLength)}</td>
            <td class="under">
              {group.requireVerifiedEmail ? (
                <Pill>verified</Pill>
              ) : group.requireEmail ? (
                <Pill>required</Pill>
              ) : (
                <span class="muted">optional</span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function NewGroup() {
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const { run, ...saving } = useSaving()
  const create = async () => {
    await account.groups.create({ name })
    navigate(route`/identity-groups/${name}`)
  }
  return (
    <>
      <Button kind="primary" icon="add" onPress={() => setOpen(true)}>
        New group…
      </Button>
      {isOpen && (
        <FormDialog
          title="New group"
          action="Create the group"
          saving={saving}
          onSend={() => run(create, { stale: 'groups' })}
          onClose={() => setOpen(false)}
        >
          <TextField
            label="Name"
            help="It cannot be changed: apps send it in a header."
            value={name}
            problem={saving.problems.get('name')}
            onValue={setName}
            autofocus
            required
          />
        </FormDialog>
      )}
    </>
  )
}
