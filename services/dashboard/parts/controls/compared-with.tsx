import { here, navigate } from '../../address/location.ts'
import { withQuery } from '../../address/pattern.ts'
import { Choice } from './field.tsx'

export type State = { id: string; label: string }

type ComparedWithProps = {
  /** The default: the state before; undefined: there is none. */
  previous: State | undefined
  /** Describes a state that has none before it, such as "oldest version". */
  first: string
  others: readonly State[]
}

/** Chooses the state to compare with. The choice is stored in the address. */
export function ComparedWith({ previous, first, others }: ComparedWithProps) {
  if (others.length === 0) return null
  return (
    <Choice
      label="Compared with"
      value={here.value.query.get('with') ?? ''}
      onValue={(value) => navigate(withQuery(here.value, { with: value || null }), { replace: true })}
      choices={[
        { value: '', label: previous ? `previous: ${previous.label}` : `none: this is the ${first}` },
        ...others.map(({ id, label }) => ({ value: id, label })),
      ]}
    />
  )
}

/** The chosen state, or the previous one by default. */
export function comparedTo<T extends { id: string }>(others: readonly T[], previous: T | undefined): T | undefined {
  const wanted = here.value.query.get('with')
  return others.find(({ id }) => id === wanted) ?? previous
}
