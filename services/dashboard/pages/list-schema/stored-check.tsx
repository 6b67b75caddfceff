import { route } from '#client/src/transport.ts'
import type { List } from '#client/src/types/resources.ts'
import { Link } from '../../parts/controls/button.tsx'
import { Note } from '../../parts/display/marks.tsx'
import { count, countOf, sentence } from '../../parts/display/text.tsx'
import type { Mismatches, StoredCheck } from './validate-schema.ts'

/** The stored items that do not match a schema, each with a link. */
export function StoredCheckResult({ list, check }: { list: List; check: StoredCheck }) {
  const { mismatches, warnings } = check
  if (mismatches === null) {
    return <Note>{warnings.length > 0 ? warnings.map(sentence).join(' ') : 'No stored item was checked.'}</Note>
  }
  if (mismatches.failing === 0) return <Note tone={mismatches.complete ? 'good' : 'warn'}>{allMatch(mismatches)}</Note>
  return (
    <Note tone="warn">
      <p>
        <b>{someFail(mismatches)}</b>
      </p>
      <FailingItems list={list.pathName} mismatches={mismatches} />
    </Note>
  )
}

/** Some of the items that do not match, each with a link and its errors. @param list its path name */
export function FailingItems({ list, mismatches: { items, failing } }: { list: string; mismatches: Mismatches }) {
  return (
    <>
      <ul class="failing">
        {items.map(({ itemId, errors }) => (
          <li key={itemId}>
            <Link to={route`/lists/${list}/items/${itemId}`}>
              <code>{itemId}</code>
            </Link>
            {errors.map(({ pointer, message }) => (
              <span key={pointer + message}>
                <code>{pointer || 'the data'}</code> {message}
              </span>
            ))}
          </li>
        ))}
      </ul>
      {failing > items.length && <p class="muted">Only {count(items.length)} of them are shown.</p>}
    </>
  )
}

function allMatch({ checked, complete }: Mismatches): string {
  return complete
    ? `All ${countOf(checked, 'stored item')} match.`
    : `The ${countOf(checked, 'newest item')} match; older ones were not checked.`
}

function someFail({ failing, checked, complete }: Mismatches): string {
  const verb = failing === 1 ? 'does' : 'do'
  return complete
    ? `${count(failing)} of ${countOf(checked, 'stored item')} ${verb} not match.`
    : `At least ${count(failing)} stored items do not match; the ${count(checked)} newest were checked.`
}
