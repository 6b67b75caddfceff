import { registerHooks } from 'node:module'

/**
 * Preloaded into test processes: whoever opens a database gets one that notes which places of the code send statements to
 * it (`noted-database.ts`). Services that tests run in their own process open theirs in the same way.
 */
const opener = new URL('../../../shared/data/open-database.ts', import.meta.url).href
const noted = new URL('./noted-database.ts', import.meta.url).href

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    return found.url === opener && context.parentURL !== noted ? { ...found, url: noted } : found
  },
})
