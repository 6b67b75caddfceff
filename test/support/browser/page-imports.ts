import { registerHooks } from 'node:module'

const root = new URL('../../../', import.meta.url)
const page = new URL('services/dashboard/', root).href
const aliases = /^#(shared|client|services)\//

/**
 * Ava loads this before each test file (package.json). The dashboard has its own package.json, which ends the scope of listd's
 * `imports`, and Node.js does not allow imports to lead out of their package. tsc and esbuild follow the paths of
 * services/dashboard/tsconfig.json; this does the same for the parts of the dashboard that Node.js runs, which only tests do.
 */
registerHooks({
  resolve(specifier, context, next) {
    const isOfPage = aliases.test(specifier) && context.parentURL?.startsWith(page)
    return next(isOfPage ? new URL(specifier.slice(1), root).href : specifier, context)
  },
})
