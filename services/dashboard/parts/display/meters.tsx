import { hrefOf } from '../../address/location.ts'
import './meters.css'
import { count } from './text.tsx'

/** A counted kind, its count, and the address that lists it. */
export type Metered = { name: string; more?: string; count: number; to: string }

/** The number of failures of each kind, most frequent first. */
export function Meters({ title, rows }: { title: string; rows: readonly Metered[] }) {
  const most = Math.max(...rows.map((row) => row.count))
  return (
    <section class="card" aria-label={title}>
      <header>
        <h3>{title}</h3>
      </header>
      <ul class="meters in" role="list">
        {rows.map(({ name, more, count: found, to }) => (
          <li key={`${name} ${more}`}>
            <span class="name">
              <a class="link" href={hrefOf(to)}>
                {name}
              </a>
              {more && <span class="muted small"> {more}</span>}
            </span>
            <span class="meter">
              <i style={{ width: `${(100 * found) / most}%` }} />
            </span>
            <span class="num">{count(found)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
