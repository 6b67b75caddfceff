import { registerHooks } from 'node:module'

const root = new URL('../../../', import.meta.url)
const page = new URL('services/dashboard/', root).href
const aliases = /^#(shared|client|services)\//

/**
 * Ava loads this before each test file (package.json). The dashboard has a package.json of its own, which ends the reach of the
 * `imports` of listd's, and Node.js lets none of them lead out of its package. tsc and esbuild follow the paths of
 * services/dashboard/tsconfig.json; this does the same for what Node.js runs of the dashboard, which only tests do.
 */
registerHooks({
  resolve(specifier, context, next) {
    const isOfPage = aliases.test(specifier) && context.parentURL?.startsWith(page)
    return next(isOfPage ? new URL(specifier.slice(1), root).href : specifier, context)
  },
})
