import type { FlowDefinition } from '#client/src/types/flow-resources.ts'
import { client } from '../../api/client.ts'
import { DeleteSection } from '../../forms/delete-section.tsx'
import { Choice, Switch } from '../../parts/controls/field.tsx'
import { useSwitching } from './use-switching.ts'

const logChoices = [
  { value: 'all', label: 'All runs' },
  { value: 'failures', label: 'Runs that fail or are rejected' },
] as const

/** The settings of a flow apart from its document, and its delete button. */
export function FlowSettings({ flow }: { flow: FlowDefinition }) {
  const { busy, change, shown } = useSwitching(flow)
  const { id, name } = flow
  return (
    <div class="settings">
      <section class="form" aria-label="Settings of the flow">
        <Switch
          label="Activated"
          help="Calls of a flow that is off fail with 404."
          on={shown.activated}
          disabled={busy}
          onChange={(on) => change({ activated: on })}
        />
        <Choice
          label="Recorded runs"
          help="Not recording successful runs saves one write per run. Failed and rejected runs are always recorded."
          value={shown.logged}
          disabled={busy}
          choices={logChoices}
          onValue={(value) => change({ logged: value })}
        />
      </section>
      <DeleteSection
        what="flow"
        name={name}
        lead="This permanently deletes the flow, its versions, and its recorded runs."
        typed={name}
        remove={() => client.flowDefinitions.delete(id)}
        stale="flows"
        to="/flows"
      >
        <p>
          Another flow can use its address immediately. Items that its runs have written and events that they have
          emitted are kept.
        </p>
      </DeleteSection>
    </div>
  )
}
