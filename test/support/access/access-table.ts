/** One answer that was given or is expected: to whom, of which route, about what. */
export type AccessRow = { route: string; title: string; needs: string; target: string; actor: string; answer: string }

/**
 * The rows as a text to be read: per route and targets the answers, each with the actors that get it; the one that most get
 * comes last, as that of `everyone else` of those at the top. Rows must come in the order in which they are to be read.
 */
export function accessTable(rows: readonly AccessRow[]): string {
  const everyone = [...new Set(rows.map(({ actor }) => actor))]
  const routes = Map.groupBy(rows, ({ route, title }) => (title === '' ? route : `${route} (${title})`))
  const blocks = [...routes].map(([name, ofRoute]) => `${name}: ${ofRoute[0]?.needs}\n${targets(ofRoute)}`)
  return [`everyone: ${everyone.join('; ')}\n`, ...blocks].join('\n')
}

/** Targets about which all get the same answers are reported together. */
function targets(rows: readonly AccessRow[]): string {
  const texts = [...Map.groupBy(rows, ({ target }) => target)].map(([target, some]) => [target, answers(some)] as const)
  return [...Map.groupBy(texts, ([, text]) => text)]
    .map(([text, same]) => `${heading(same.map(([target]) => target))}${text}`)
    .join('')
}

function heading(targets: readonly string[]): string {
  return targets[0] === '' ? '' : `  ${targets.join('; ')}\n`
}

/** An actor may have asked about several of one name. */
function answers(rows: readonly AccessRow[]): string {
  const groups = [...Map.groupBy(rows, ({ answer }) => answer)].map(
    ([answer, some]) => [answer, [...new Set(some.map(({ actor }) => actor))]] as const,
  )
  const ofMost = groups.reduce((most, group) => (group[1].length > most[1].length ? group : most), ['', []])
  const others = groups.filter((group) => group !== ofMost).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const lines = others.map(([answer, actors]) => `    ${answer}: ${actors.join('; ')}\n`)
  return [...lines, `    ${ofMost[0]}: everyone${others.length === 0 ? '' : ' else'}\n`].join('')
}
