import { stringify } from '#client/src/json.ts'
import { Diff } from '#services/dashboard/parts/display/diff.tsx'
import type { FieldWords } from '#shared/domain/sync/plan-words.ts'
import { diffJson } from '#shared/json/compare/diff.ts'

/** The old and new value of a field, in one line. For a schema, the differences. */
export function FieldChange({ words: { name, places, more }, from, to }: FieldChangeProps) {
  if (name === 'schema') {
    const changes = diffJson(stringify(from) ?? 'null', stringify(to) ?? 'null')
    return <Diff changes={changes} nameOf={(pointer) => `schema${pointer}`} />
  }
  return (
    <div>
      <span class="muted">{name}</span>{' '}
      {places.map((place) => (
        <span key={place.pointer}>
          {place.pointer && <code>{place.pointer}: </code>}
          <code>{place.from}</code> → <code>{place.to}</code>{' '}
        </span>
      ))}
      {more > 0 && <span class="muted">{`and ${more} more`}</span>}
    </div>
  )
}

type FieldChangeProps = { words: FieldWords; from: unknown; to: unknown }
