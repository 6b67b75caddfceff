import { useState } from 'preact/hooks'
import { contains } from '#client/src/filters.ts'
import { route } from '#client/src/transport.ts'
import type { IdentityGroup } from '#client/src/types/user-resources.ts'
import { hrefOf, navigate } from '#services/dashboard/address/location.ts'
import { account } from '#services/dashboard/api/client.ts'
import { useResource } from '#services/dashboard/api/resource.ts'
import { FormDialog } from '#services/dashboard/forms/form-dialog.tsx'
import { useSaving } from '#services/dashboard/forms/use-saving.ts'
import { Button } from '#services/dashboard/parts/controls/button.tsx'
import { TextField } from '#services/dashboard/parts/controls/field.tsx'
import { Pill } from '#services/dashboard/parts/display/marks.tsx'
import { Table } from '#services/dashboard/parts/display/table.tsx'
import { count } from '#services/dashboard/parts/display/text.tsx'
import { nameSought } from '#services/dashboard/parts/page/find-by-name.tsx'
import { NamedPage } from '#services/dashboard/parts/page/named-page.tsx'
import { pageNumber } from '#services/dashboard/parts/page/numbered-pages.tsx'
import { Empty } from '#services/dashboard/parts/problems/problem.tsx'
import { IdentityTabs } from '../identity-tabs.tsx'
import { durationWords } from './duration.ts'

const pageSize = 50

/** The identity groups, each with its own sign-in rules. */
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
    <Empty title="A group holds identities with the same sign-in rules" action={<NewGroup />}>
      The first registration in a group creates it. Identities without a group stay signed in for 7 days.
    </Empty>
  )
}

function GroupTable({ groups }: { groups: readonly IdentityGroup[] }) {
  return (
    <Table columns={['group', 'session', 'idle', { figures: 'password' }, 'e-mail']}>
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
          action="Create group"
          saving={saving}
          onSend={() => run(create, { stale: 'groups' })}
          onClose={() => setOpen(false)}
        >
          <TextField
            label="Name"
            help="You cannot change the name later, because apps send it in a header."
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
