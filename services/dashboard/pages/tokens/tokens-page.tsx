import { contains } from '#client/src/filters.ts'
import { route } from '#client/src/transport.ts'
import type { ApiToken } from '#client/src/types/user-resources.ts'
import { hrefOf } from '../../address/location.ts'
import { account } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { LinkButton } from '../../parts/controls/button.tsx'
import { Pill } from '../../parts/display/marks.tsx'
import { Figure, Table } from '../../parts/display/table.tsx'
import { Ago, At } from '../../parts/display/text.tsx'
import { nameSought } from '../../parts/page/find-by-name.tsx'
import { NamedPage } from '../../parts/page/named-page.tsx'
import { pageNumber } from '../../parts/page/numbered-pages.tsx'
import { Empty } from '../../parts/problems/problem.tsx'
import { stateOf } from './words.ts'

const pageSize = 50

/** The API tokens of the account. */
export function TokensPage() {
  const name = nameSought()
  const number = pageNumber()
  const tokens = useResource(`tokens page ${number} ${name}`, (signal) =>
    account.tokens
      .all({ where: name ? { name: contains(name) } : {}, order: 'name', direction: 'asc', limit: pageSize, signal })
      .page(number),
  )
  return (
    <NamedPage
      title="Tokens"
      what="an API token"
      many="API tokens"
      things={tokens}
      pageSize={pageSize}
      actions={<NewToken />}
      empty={<NoTokens />}
    >
      {(data) => <TokenTable tokens={data} />}
    </NamedPage>
  )
}

function NewToken() {
  return (
    <LinkButton to="/new-token" kind="primary" icon="add">
      New token
    </LinkButton>
  )
}

function NoTokens() {
  return (
    <Empty title="Programs call the API with a token" action={<NewToken />}>
      The rules of a token say what it may do. Create one for each program, so that you can delete one without affecting
      the others.
    </Empty>
  )
}

function TokenTable({ tokens }: { tokens: readonly ApiToken[] }) {
  return (
    <Table columns={['token', 'state', { figures: 'rules' }, 'from', 'expires', 'last used']}>
      <tbody>
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} />
        ))}
      </tbody>
    </Table>
  )
}

function TokenRow({ token }: { token: ApiToken }) {
  const { id, name, permissions, ips, expiresAt, lastUsedAt } = token
  const { label, tone } = stateOf(token, Date.now())
  return (
    <tr>
      <td class="lead">
        <a href={hrefOf(route`/tokens/${id}`)}>{name}</a>
      </td>
      <td class="under">
        <Pill tone={tone}>{label}</Pill>
      </td>
      <Figure n={permissions.length} one="rule" />
      <td class="optional mono muted">{ips ? ips.join(', ') : 'anywhere'}</td>
      <td class="optional muted">{expiresAt ? <At at={expiresAt} /> : 'never'}</td>
      <td class="muted when">{lastUsedAt ? <Ago at={lastUsedAt} /> : 'never'}</td>
    </tr>
  )
}
