import type { FieldWords } from '../../../../shared/domain/sync/plan-words.ts'

/** What a field was and becomes: in a line, or place by place, as in a schema. */
export function FieldChange({ name, places, more }: FieldWords) {
  const [first] = places
  if (places.length === 1 && first?.pointer === '') {
    return (
      <div class="from-to">
        <span class="muted">{name}</span> <code>{first.from}</code> → <code>{first.to}</code>
      </div>
    )
  }
  return (
    <div class="code block" role="group" tabIndex={0} aria-label={`Changes of ${name}`}>
      {places.map(({ pointer, from, to }) => (
        <div key={pointer}>
          <span class="muted">{`${name}${pointer}`}</span>
          {from !== 'nothing' && <del>{`- ${from}`}</del>}
          {to !== 'nothing' && <ins>{`+ ${to}`}</ins>}
        </div>
      ))}
      {more > 0 && <span class="muted">{`and ${more} more`}</span>}
    </div>
  )
}
