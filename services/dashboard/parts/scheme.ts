/** Which colours a person wants, where they are not those of the system. */
export type Scheme = 'light' | 'dark'

const key = 'listd-scheme'

/** Shows the page in these colours; null: in those of the system. The browser keeps it for the first paint of the next visit. */
export function showScheme(scheme: Scheme | null): void {
  paint(scheme)
  try {
    if (scheme === null) localStorage.removeItem(key)
    else localStorage.setItem(key, scheme)
  } catch {
    // A browser that keeps nothing shows the system's colours until the preferences have come.
  }
}

/** Shows the page in the colours of the last visit, before the preferences are there. */
export function showLastScheme(): void {
  try {
    const scheme = localStorage.getItem(key)
    if (scheme === 'light' || scheme === 'dark') paint(scheme)
  } catch {
    // As above.
  }
}

function paint(scheme: Scheme | null): void {
  const { dataset } = document.documentElement
  if (scheme === null) delete dataset.scheme
  else dataset.scheme = scheme
}
