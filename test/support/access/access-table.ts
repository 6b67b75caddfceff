/** One actual or expected answer: to which actor, of which route, about which target. */
export type AccessRow = { route: string; title: string; needs: string; target: string; actor: string; answer: string }

/**
 * The rows as text for people: for each route and target the answers, each with the actors that get it. The most frequent answer comes
 * last, for `everyone else` of the actors at the top. Rows must be in reading order.
 */
export function accessTable(rows: readonly AccessRow[]): string {
  const everyone = [...new Set(rows.map(({ actor }) => actor))]
  const routes = Map.groupBy(rows, ({ route, title }) => (title === '' ? route : `${route} (${title})`))
  const blocks = [...routes].map(([name, ofRoute]) => `${name}: ${ofRoute[0]?.needs}\n${targets(ofRoute)}`)
  return [`everyone: ${everyone.join('; ')}\n`, ...blocks].join('\n')
}

/** Targets with the same answers for every actor are combined. */
function targets(rows: readonly AccessRow[]): string {
  const texts = [...Map.groupBy(rows, ({ target }) => target)].map(([target, some]) => [target, answers(some)] as const)
  return [...Map.groupBy(texts, ([, text]) => text)]
    .map(([text, same]) => `${heading(same.map(([target]) => target))}${text}`)
    .join('')
}

function heading(targets: readonly string[]): string {
  return targets[0] === '' ? '' : `  ${targets.join('; ')}\n`
}

/** An actor may have called several targets of one name. */
function answers(rows: readonly AccessRow[]): string {
  const groups = [...Map.groupBy(rows, ({ answer }) => answer)].map(
    ([answer, some]) => [answer, [...new Set(some.map(({ actor }) => actor))]] as const,
  )
  const ofMost = groups.reduce((most, group) => (group[1].length > most[1].length ? group : most), ['', []])
  const others = groups.filter((group) => group !== ofMost).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const lines = others.map(([answer, actors]) => `    ${answer}: ${actors.join('; ')}\n`)
  return [...lines, `    ${ofMost[0]}: everyone${others.length === 0 ? '' : ' else'}\n`].join('')
}
