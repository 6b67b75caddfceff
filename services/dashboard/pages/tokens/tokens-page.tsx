import { contains } from '../../../../client/src/filters.ts'
import type { ApiToken } from '../../../../client/src/resources.ts'
import { route } from '../../../../client/src/transport.ts'
import { hrefOf } from '../../address/location.ts'
import { account } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { LinkButton } from '../../parts/button.tsx'
import { FindByName, nameSought } from '../../parts/find-by-name.tsx'
import { Pill } from '../../parts/marks.tsx'
import { NumberedPages, pageNumber } from '../../parts/numbered-pages.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Loaded } from '../../parts/problem.tsx'
import { Ago, At, count, countOf } from '../../parts/text.tsx'
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
  const total = tokens.data?.total
  const isEmpty = total === 0 && !name
  return (
    <Page
      title="Tokens"
      lead={
        total !== undefined && !isEmpty ? `${countOf(total, 'API token')}${name ? ' with this name' : ''}.` : undefined
      }
      actions={<NewToken />}
      foot={total !== undefined && total > pageSize && <NumberedPages total={total} pageSize={pageSize} />}
    >
      {!isEmpty && (
        <div class="bar">
          <FindByName what="a token" />
        </div>
      )}
      <Loaded resource={tokens}>
        {({ data }) => (data.length > 0 ? <TokenTable tokens={data} /> : <None isSought={name !== ''} />)}
      </Loaded>
    </Page>
  )
}

function NewToken() {
  return (
    <LinkButton to="/new-token" kind="primary" icon="add">
      New token
    </LinkButton>
  )
}

function None({ isSought }: { isSought: boolean }) {
  if (isSought) return <Empty title="No token has this name">Names are compared without regard to case.</Empty>
  return (
    <Empty title="Programs call the API with a token" action={<NewToken />}>
      A token has rules that say what it may do. Make one for each program, so that you can end one alone.
    </Empty>
  )
}

function TokenTable({ tokens }: { tokens: readonly ApiToken[] }) {
  return (
    <div class="scroll">
      <table class="table cards">
        <thead>
          <tr>
            <th>token</th>
            <th>state</th>
            <th class="num">rules</th>
            <th>from</th>
            <th>expires</th>
            <th>last used</th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </tbody>
      </table>
    </div>
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
      <td class="num beside">{count(permissions.length)}</td>
      <td class="optional mono muted">{ips ? ips.join(', ') : 'anywhere'}</td>
      <td class="optional muted">{expiresAt ? <At at={expiresAt} /> : 'never'}</td>
      <td class="muted when">{lastUsedAt ? <Ago at={lastUsedAt} /> : 'never'}</td>
    </tr>
  )
}
