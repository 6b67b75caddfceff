import { execFile } from 'node:child_process'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'

const document = '../fixtures/openapi.json'

type Linter = { program: string; args: string[]; problemsIn: (output: string) => string[] }

/** A problem of Redocly has a rule and locations, one of Spectral a code and a path. */
type Problem = {
  message: string
  ruleId?: string
  location?: { pointer: string }[]
  ignored?: boolean
  code?: string
  path?: string[]
}

function lineOf({ message, ruleId, location, code, path }: Problem): string {
  return `${ruleId ?? code}: ${message} (${location?.[0]?.pointer ?? path?.join('/')})`
}

/** Redocly reads `redocly.yaml` and the exceptions next to it, Spectral reads `spectral.yaml`. Both have the rules that the linter recommends. */
const linters: Record<string, Linter> = {
  Redocly: {
    program: 'redocly',
    args: ['lint', document, '--format=json'],
    problemsIn: (output) =>
      JSON.parse(output)
        .problems.filter(({ ignored }: Problem) => !ignored)
        .map(lineOf),
  },
  Spectral: {
    program: 'spectral',
    args: ['lint', document, '--ruleset=spectral.yaml', '--format=json', '--quiet'],
    problemsIn: (output) => JSON.parse(output).map(lineOf),
  },
}

for (const [name, { program, args, problemsIn }] of Object.entries(linters)) {
  test(`${name} reports no error and no warning for the API's description`, async (t) => {
    t.deepEqual(problemsIn(await outputOf(t, program, args)), [])
  })
}

/** The output of a linter, even if it exits with an error code because it has found problems. */
function outputOf(t: ExecutionContext, program: string, args: readonly string[]): Promise<string> {
  // No telemetry, and no check for a newer version.
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const options = { cwd: import.meta.dirname, env, maxBuffer: 64 * 1024 * 1024 }
  return new Promise((resolve, reject) => {
    execFile(join(import.meta.dirname, 'node_modules/.bin', program), args, options, (error, stdout, stderr) => {
      t.log(stderr)
      if (error && stdout === '') reject(error)
      else resolve(stdout)
    })
  })
}
