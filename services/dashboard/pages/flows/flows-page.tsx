import { contains } from '#client/src/filters.ts'
import { route } from '#client/src/transport.ts'
import type { FlowDefinitionRow } from '#client/src/types/flow-resources.ts'
import { hrefOf } from '../../address/location.ts'
import { client } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { LinkButton } from '../../parts/controls/button.tsx'
import { Pill } from '../../parts/display/marks.tsx'
import { Table } from '../../parts/display/table.tsx'
import { Ago } from '../../parts/display/text.tsx'
import { nameSought } from '../../parts/page/find-by-name.tsx'
import { NamedPage } from '../../parts/page/named-page.tsx'
import { pageNumber } from '../../parts/page/numbered-pages.tsx'
import { Empty } from '../../parts/problems/problem.tsx'
import { entryWords } from './flow-words.ts'
import { useSwitching } from './use-switching.ts'

const pageSize = 50

/** All flows of the account, with their entries and whether they are activated. */
export function FlowsPage() {
  const text = nameSought()
  const number = pageNumber()
  const where = text ? { name: contains(text) } : {}
  const flows = useResource(`flows page ${number} ${text}`, (signal) =>
    client.flowDefinitions.all({ where, order: 'createdAt', direction: 'asc', limit: pageSize, signal }).page(number),
  )
  return (
    <NamedPage
      title="Flows"
      what="a flow"
      many="flows"
      things={flows}
      pageSize={pageSize}
      actions={
        <>
          <LinkButton to="/runs">All runs</LinkButton>
          <NewFlow />
        </>
      }
      empty={<NoFlows />}
    >
      {(data) => <FlowTable flows={data} />}
    </NamedPage>
  )
}

function NewFlow() {
  return (
    <LinkButton to="/new-flow" kind="primary" icon="add">
      New flow
    </LinkButton>
  )
}

function NoFlows() {
  return (
    <Empty
      title="A flow is your own endpoint"
      action={
        <LinkButton to="/new-flow" kind="primary" icon="add">
          Start with an example
        </LinkButton>
      }
    >
      You define its steps: it reads and writes items, checks conditions, and responds. A run is one transaction. The
      tests of a flow run before it is saved.
    </Empty>
  )
}

function FlowTable({ flows }: { flows: readonly FlowDefinitionRow[] }) {
  return (
    <Table columns={['flow', 'entry', 'activated', { figures: 'version' }, 'last run']}>
      <tbody>
        {flows.map((flow) => (
          <FlowRow key={flow.id} flow={flow} />
        ))}
      </tbody>
    </Table>
  )
}

function FlowRow({ flow }: { flow: FlowDefinitionRow }) {
  const { id, name, version, lastRunAt } = flow
  const { busy, change, shown } = useSwitching(flow)
  return (
    <tr>
      <td class="lead">
        <a href={hrefOf(route`/flows/${id}`)}>{name}</a>
      </td>
      <td class="mono muted under">
        {entryWords(flow)} {flow.public && <Pill tone="warn">public</Pill>}
      </td>
      <td class="aside">
        <input
          class="over"
          type="checkbox"
          aria-label={`Activated: ${name}`}
          checked={shown.activated}
          disabled={busy}
          onChange={({ currentTarget }) => change({ activated: currentTarget.checked })}
        />
      </td>
      <td class="num optional">{version}</td>
      <td class="muted when">{lastRunAt ? <Ago at={lastRunAt} /> : 'never'}</td>
    </tr>
  )
}
