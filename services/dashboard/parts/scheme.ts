/** The user's color scheme, if it is not that of the system. */
export type Scheme = 'light' | 'dark'

const key = 'listd-scheme'

/** Applies a color scheme; null: that of the system. The browser stores it for the first paint of the next visit. */
export function showScheme(scheme: Scheme | null): void {
  paint(scheme)
  try {
    if (scheme === null) localStorage.removeItem(key)
    else localStorage.setItem(key, scheme)
  } catch {
    // Without storage, the page has the system's colors until the preferences are read.
  }
}

/** Applies the color scheme of the last visit until the preferences are read. */
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
