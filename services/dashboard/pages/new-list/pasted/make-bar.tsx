import { route } from '#client/src/transport.ts'
import { Button, LinkButton } from '#services/dashboard/parts/controls/button.tsx'
import { Note } from '#services/dashboard/parts/display/marks.tsx'
import { count, countOf, sentence } from '#services/dashboard/parts/display/text.tsx'
import { Problem } from '#services/dashboard/parts/problems/problem.tsx'
import { itemError } from '../add-items.ts'
import type { Progress } from '../use-making.ts'
import type { Pasted } from './pasted.ts'
import type { Plan } from './use-plan.ts'

type MakeBarProps = { plan: Plan; pasted: Pasted | null; making: Progress; onMake: (() => void) | null }

/** A summary of the list to create, the button that creates it, and the result. @param onMake null: it cannot be created yet */
export function MakeBar({ plan, pasted, making, onMake }: MakeBarProps) {
  const { busy, created, error, rejected } = making
  const adds = plan.addsItems ? (pasted?.items.length ?? 0) : 0
  return (
    <div class="grow stack">
      {error && created === null && <Problem error={error} />}
      {error && created !== null && <HalfCreated created={created} making={making} error={error} />}
      {rejected.others.map((message) => (
        <p key={message} class="wrong" role="alert">
          {sentence(message)}
        </p>
      ))}
      <div class="row">
        <span class="grow">{busy ? progressOf(making, adds) : planned(plan, pasted, onMake !== null)}</span>
        {created !== null && !busy && <LinkButton to={route`/lists/${created}`}>Open the list</LinkButton>}
        <Button kind="primary" onPress={onMake ?? undefined} busy={busy} disabled={onMake === null}>
          {created !== null ? 'Add the items' : adds > 0 ? `Create list with ${countOf(adds, 'item')}` : 'Create list'}
        </Button>
      </div>
    </div>
  )
}

/** Explains that a list was created, but not all of its items, and why. */
function HalfCreated({
  created,
  making,
  error,
}: {
  created: string
  making: Progress
  error: NonNullable<Progress['error']>
}) {
  const { added } = making
  return (
    <Note tone="warn">
      <div role="alert">
        The list {created} was created with its indexes and{' '}
        {added > 0 ? `the first ${countOf(added, 'item')}` : 'no items'}. {sentence(itemError(error, added))} Fix the
        text above and add {added > 0 ? 'the rest' : 'the items'}, or open the list as is.
      </div>
    </Note>
  )
}

function progressOf({ created, added }: Progress, adds: number): string {
  return created === null ? 'Creating the list…' : `Adding items: ${count(added)} of ${count(adds)}…`
}

function planned({ draft, names }: Plan, pasted: Pasted | null, canMake: boolean): string {
  if (!pasted) return 'Paste JSON first.'
  if (!names.pathName) return 'The list needs a name.'
  if (!canMake) return 'Correct the errors above first.'
  return `${draft.schema === null ? 'No schema' : 'A schema'} and ${countOf(draft.indexes.length, 'index', 'indexes')}.`
}
