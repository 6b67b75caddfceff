import { count } from './text.tsx'

/** A bar of stacked parts, the first at the bottom. `more`: a text that the table shows in addition to their numbers. */
export type Bar = { at: string; parts: readonly number[]; more?: string }

type ChartProps = {
  /** Describes the chart for screen readers. */
  label: string
  /** The names of the bars and of each of their parts. */
  columns: readonly [at: string, ...parts: string[]]
  /** The tones of the parts, if they are not plain counts. */
  tones?: readonly (string | undefined)[]
  bars: readonly Bar[]
  /** The labels below the first and the last bar. */
  ends?: readonly [first: string, last: string]
}

/** The minimum number of places for bars. Fewer bars are aligned to the end and keep the same width. */
const fewest = 24

/** A bar chart, with the same numbers as a table on demand. */
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
