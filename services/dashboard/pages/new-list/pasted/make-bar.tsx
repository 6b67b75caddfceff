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

/** What will be made, the button that makes it, and what became of that. @param onMake null: it cannot be made yet */
export function MakeBar({ plan, pasted, making, onMake }: MakeBarProps) {
  const { busy, made, error, refused } = making
  const adds = plan.addsItems ? (pasted?.items.length ?? 0) : 0
  return (
    <div class="grow stack">
      {error && made === null && <Problem error={error} />}
      {error && made !== null && <HalfMade made={made} making={making} error={error} />}
      {refused.others.map((message) => (
        <p key={message} class="wrong" role="alert">
          {sentence(message)}
        </p>
      ))}
      <div class="row">
        <span class="grow">{busy ? progressOf(making, adds) : planned(plan, pasted, onMake !== null)}</span>
        {made !== null && !busy && <LinkButton to={route`/lists/${made}`}>Open the list</LinkButton>}
        <Button kind="primary" onPress={onMake ?? undefined} busy={busy} disabled={onMake === null}>
          {made !== null ? 'Add the items' : adds > 0 ? `Make list with ${countOf(adds, 'item')}` : 'Make list'}
        </Button>
      </div>
    </div>
  )
}

/** What there is of a list whose items were refused, and why. */
function HalfMade({ made, making, error }: { made: string; making: Progress; error: NonNullable<Progress['error']> }) {
  const { added } = making
  return (
    <Note tone="warn">
      <div role="alert">
        The list {made} is there with its indexes, and {added > 0 ? `the first ${countOf(added, 'item')}` : 'no item'}.{' '}
        {sentence(itemError(error, added))} Mend the text above and add {added > 0 ? 'the rest' : 'the items'}, or open
        the list as it is.
      </div>
    </Note>
  )
}

function progressOf({ made, added }: Progress, adds: number): string {
  return made === null ? 'Making the list…' : `Adding items: ${count(added)} of ${count(adds)}…`
}

function planned({ draft, names }: Plan, pasted: Pasted | null, canMake: boolean): string {
  if (!pasted) return 'Paste JSON first.'
  if (!names.pathName) return 'The list needs a name.'
  if (!canMake) return 'Something above is not right yet.'
  return `${draft.schema === null ? 'No schema' : 'A schema'} and ${countOf(draft.indexes.length, 'index', 'indexes')}.`
}
