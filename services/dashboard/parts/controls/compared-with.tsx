import { here, navigate } from '../../address/location.ts'
import { withQuery } from '../../address/pattern.ts'
import { Choice } from './field.tsx'

export type State = { id: string; label: string }

type ComparedWithProps = {
  /** What it is compared with where nothing else was chosen; undefined: there is nothing before it. */
  previous: State | undefined
  /** Why there is nothing before it. */
  first: string
  others: readonly State[]
}

/** The choice of the state that another one is compared with; it stands in the address. */
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

/** The state that was chosen, or else the one before. */
export function comparedTo<T extends { id: string }>(others: readonly T[], previous: T | undefined): T | undefined {
  const wanted = here.value.query.get('with')
  return others.find(({ id }) => id === wanted) ?? previous
}
