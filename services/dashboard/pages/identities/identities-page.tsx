import { contains } from '#client/src/filters.ts'
import { route } from '#client/src/transport.ts'
import type { Identity } from '#client/src/types/resources.ts'
import { here, hrefOf, navigate } from '../../address/location.ts'
import { withQuery } from '../../address/pattern.ts'
import { account, client } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { Pick } from '../../parts/controls/pick.tsx'
import { Pill } from '../../parts/display/marks.tsx'
import { Figure, Table } from '../../parts/display/table.tsx'
import { Ago } from '../../parts/display/text.tsx'
import { nameSought } from '../../parts/page/find-by-name.tsx'
import { NamedPage } from '../../parts/page/named-page.tsx'
import { pageNumber } from '../../parts/page/numbered-pages.tsx'
import { Empty } from '../../parts/problems/problem.tsx'
import { IdentityTabs } from './identity-tabs.tsx'
import { NewIdentity } from './new-identity.tsx'
import { isOwn } from './own-identity.ts'

const pageSize = 50

/** The identities: users of the product that the account belongs to. */
export function IdentitiesPage() {
  const name = nameSought()
  const { query } = here.value
  const [group, activated] = [query.get('group') ?? '', query.get('activated') ?? '']
  const where = {
    ...(name && { name: contains(name) }),
    ...(group && { group }),
    ...(activated && { activated: activated === 'true' }),
  }
  const identities = useResource(
    `identities page ${pageNumber()} ${JSON.stringify([name, group, activated])}`,
    (signal) =>
      client.identities.all({ where, order: 'name', direction: 'asc', limit: pageSize, signal }).page(pageNumber()),
  )
  return (
    <NamedPage
      title="Identities"
      what="an identity"
      many="identities"
      things={identities}
      pageSize={pageSize}
      tabs={<IdentityTabs on="identities" />}
      actions={<NewIdentity group={group} />}
      filters={<Filters group={group} activated={activated} />}
      isFiltered={group + activated !== ''}
      empty={<NoIdentities />}
    >
      {(data) => <IdentityTable identities={data} />}
    </NamedPage>
  )
}

const states = [
  ['', 'Any state'],
  ['true', 'activated'],
  ['false', 'switched off'],
] as const

function Filters({ group, activated }: { group: string; activated: string }) {
  const groups = useResource('group filter', (signal) =>
    account.groups.all({ order: 'name', direction: 'asc', limit: 100, signal }).page(1),
  )
  const choose = (name: string, value: string) =>
    navigate(withQuery(here.value, { [name]: value || null, page: null }), { replace: true })
  return (
    <>
      <Pick
        label="Group"
        value={group}
        onValue={(value) => choose('group', value)}
        choices={[['', 'Any group'], ...(groups.data?.data ?? []).map(({ name }) => [name, name] as const)]}
      />
      <Pick label="State" value={activated} onValue={(value) => choose('activated', value)} choices={states} />
    </>
  )
}

function NoIdentities() {
  return (
    <Empty title="Identities are the users of your own product" action={<NewIdentity group="" />}>
      They register and sign in through your app, which needs an API token with that permission. They own the items that
      they create.
    </Empty>
  )
}

function IdentityTable({ identities }: { identities: readonly Identity[] }) {
  return (
    <Table columns={['name', 'display name', 'group', 'e-mail', { figures: 'sessions' }, 'signed in']}>
      <tbody>
        {identities.map((identity) => (
          <IdentityRow key={identity.id} identity={identity} />
        ))}
      </tbody>
    </Table>
  )
}

function IdentityRow({ identity }: { identity: Identity }) {
  const { id, name, displayName, group, activated, lastLoginAt } = identity
  return (
    <tr>
      <td class="lead gives">
        <a href={hrefOf(route`/identities/${id}`)}>{name}</a> {!activated && <Pill tone="warn">switched off</Pill>}
      </td>
      <td class="optional muted gives">{displayName === name ? '–' : displayName}</td>
      <td class="under">{group === null ? <span class="muted">–</span> : <Pill>{group}</Pill>}</td>
      <td class="optional muted gives">
        {isOwn(identity) && identity.email ? (
          <>
            {identity.email} {!identity.emailVerified && <Pill tone="warn">not verified</Pill>}
          </>
        ) : (
          '–'
        )}
      </td>
      <Figure n={isOwn(identity) ? identity.sessionCount : null} one="session" />
      <td class="muted when">{lastLoginAt ? <Ago at={lastLoginAt} /> : 'never'}</td>
    </tr>
  )
}
