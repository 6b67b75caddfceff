import { count } from './text.tsx'

/** A bar of stacked parts, the first at the bottom. `more`: what the table says in addition to their numbers. */
export type Bar = { at: string; parts: readonly number[]; more?: string }

type ChartProps = {
  /** What the picture shows, for who does not see it. */
  label: string
  /** What the bars are, and each of their parts. */
  columns: readonly [at: string, ...parts: string[]]
  /** The tones of the parts, where they are no plain count. */
  tones?: readonly (string | undefined)[]
  bars: readonly Bar[]
  /** What stands below the first bar and below the last one. */
  ends?: readonly [first: string, last: string]
}

/** Places for bars: a few stand at the end, and are no wider than many. */
const fewest = 24

/** Numbers in their order as bars, and the same as a table for who asks for it. */
export function Chart({ label, columns, tones = [], bars, ends }: ChartProps) {
  const most = Math.max(1, ...bars.map(sumOf))
  const places = Math.max(fewest, bars.length)
  return (
    <>
      <svg class="chart" viewBox={`0 0 ${places} ${most}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {bars.map((bar, x) => (
          <g key={bar.at}>
            <title>{`${bar.at}: ${columns.slice(1).map((name, n) => `${count(bar.parts[n] ?? 0)} ${name}`)}`}</title>
            {bar.parts.map((part, n) => (
              <rect
                key={n}
                class={tones[n]}
                x={places - bars.length + x + 0.1}
                width={0.8}
                y={most - sumOf({ parts: bar.parts.slice(0, n + 1) })}
                height={part}
              />
            ))}
          </g>
        ))}
      </svg>
      {ends && (
        <p class="row muted small" aria-hidden="true">
          <span class="grow">{ends[0]}</span>
          {ends[1]}
        </p>
      )}
      <details>
        <summary>As a table</summary>
        <ChartTable columns={columns} bars={bars.filter((bar) => sumOf(bar) > 0).toReversed()} />
      </details>
    </>
  )
}

function ChartTable({ columns, bars }: Pick<ChartProps, 'columns' | 'bars'>) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="As a table">
      <table class="table">
        <thead>
          <tr>
            {columns.map((name, n) => (
              <th key={name} class={n > 0 ? 'num' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.map(({ at, parts, more }) => (
            <tr key={at}>
              <td>
                {at} <span class="muted">{more}</span>
              </td>
              {parts.map((part, n) => (
                <td key={n} class="num">
                  {count(part)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const sumOf = ({ parts }: Pick<Bar, 'parts'>) => parts.reduce((sum, part) => sum + part, 0)
