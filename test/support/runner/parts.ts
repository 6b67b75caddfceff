import type { ExecutionContext, TestFn } from 'ava'
import type { Declarations, Declared, Implementation } from './declarations.ts'
import { changesOf, readProcessState } from './process-state.ts'
import { type PartReport, startPart } from './reports/reports.ts'

/** A test file of a room and what it declares. */
export type Part = { path: string } & Declarations

/** Passes the tests of all parts to ava so that they run part after part. */
export function runParts(
  ava: TestFn,
  parts: readonly Part[],
  { match, isApart }: { match: readonly string[]; isApart: boolean },
): void {
  const running = new Map<string, { run: PartRun; test: Declared }>()
  let turn = Promise.resolve()
  for (const part of parts) {
    const tests = part.tests.filter(({ title }) => isMatch(title, match))
    const selected = tests.filter(({ skipped }) => !skipped)
    const run = partRun({ ...part, tests: selected }, { turn, isApart })
    turn = run.ended
    for (const test of tests) {
      // In ava's notation.
      const title = `${labelOf(part)}: ${test.title}`.trim().replaceAll(/\s+/g, ' ')
      running.set(title, { run, test })
      const declare = test.skipped ? ava.skip : ava
      declare(title, (t) => run.runTest(test, t))
    }
    ava.after.always(`${labelOf(part)}: what follows its tests`, () => run.throwFailure())
  }
  if (running.size === 0) ava('no test of this room was asked for', (t) => t.pass())
  // Not a teardown of the test: it is not known then whether the test passed.
  ava.afterEach.always(async (t) => {
    const found = running.get(t.title.replace(/^afterEach\.always hook for /, ''))
    if (found) await found.run.endTest(found.test, t)
  })
}

/** `*` matches any characters, as in ava's own option. */
function isMatch(title: string, patterns: readonly string[]): boolean {
  const toRegExp = (pattern: string) => new RegExp(`^${pattern.split('*').map(RegExp.escape).join('.*')}$`, 'is')
  return patterns.length === 0 || patterns.some((pattern) => toRegExp(pattern).test(title))
}

function labelOf({ path }: Part): string {
  return path.replace(/^test\//, '')
}

type PartRun = {
  /** Resolves when the last of its tests and hooks has ended. */
  ended: Promise<void>
  /** Runs a test when its turn comes. */
  runTest(test: Declared, t: ExecutionContext): Promise<void>
  /** Records the end of a test, with its teardowns. */
  endTest(test: Declared, t: ExecutionContext): Promise<void>
  /** @throws the errors of its `after` hooks, or an error that names its changes of the process */
  throwFailure(): void
}

function partRun(part: Part, { turn, isApart }: { turn: Promise<void>; isApart: boolean }): PartRun {
  const { tests, hooks } = part
  const ends = new Map(tests.map((test) => [test, Promise.withResolvers<void>()]))
  const endOf = (of: readonly Declared[]) => Promise.all(of.map((test) => ends.get(test)?.promise))
  const serial = tests.filter((test) => test.serial)
  const before = (test: Declared) => (test.serial ? serial.slice(0, serial.indexOf(test)) : serial)
  let report: PartReport | undefined
  let failed = 0
  let failure: { error: unknown } | undefined
  let state = {}

  const begun = turn.then(() => {
    state = readProcessState()
    if (tests.length > 0) report = startPart(part.path)
  })
  const prepared = (t: ExecutionContext) => (preparing ??= runHooks(hooks.before, t))
  let preparing: Promise<void> | undefined

  async function end(): Promise<void> {
    await begun
    await endOf(tests)
    try {
      for (const hook of hooks.after) await (hook as () => unknown)()
      const changes = isApart ? [] : changesOf(state, readProcessState())
      if (changes.length > 0) throw new Error(`${part.path} leaves the process changed: ${changes.join(', ')}`)
    } catch (error) {
      failure = { error }
    }
    report?.end({ passed: tests.length - failed, failed: failure ? failed + 1 : failed })
  }

  return {
    ended: end(),
    async runTest(test, t) {
      await begun
      await endOf(before(test))
      await prepared(t)
      await runHooks(hooks.beforeEach, t)
      await test.implementation(t)
    },
    async endTest(test, t) {
      if (!t.passed) failed++
      try {
        await runHooks(hooks.afterEach, t)
      } finally {
        ends.get(test)?.resolve()
      }
    },
    throwFailure() {
      if (failure) throw failure.error
    },
  }
}

async function runHooks(hooks: readonly Implementation[], t: ExecutionContext): Promise<void> {
  for (const hook of hooks) await hook(t)
}
