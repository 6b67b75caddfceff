import { registerHooks } from 'node:module'

/**
 * Preloaded into test processes: replaces the module that opens databases with `noted-database.ts`, which records the call
 * sites that send statements. Services that tests run in their own process open their databases in the same way.
 */
const opener = new URL('../../../shared/data/open-database.ts', import.meta.url).href
const noted = new URL('./noted-database.ts', import.meta.url).href

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    return found.url === opener && context.parentURL !== noted ? { ...found, url: noted } : found
  },
})
