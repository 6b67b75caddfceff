import type { ExecutionContext } from 'ava'

export type Implementation = (t: ExecutionContext) => unknown

/** A test declaration of a file. */
export type Declared = { title: string; implementation: Implementation; serial: boolean; skipped: boolean }

/** The declarations of a test file. */
export type Declarations = { tests: Declared[]; hooks: Record<HookKind, Implementation[]> }

export type HookKind = 'before' | 'beforeEach' | 'afterEach' | 'after'

let current: Declarations | null = null

/** Imports a test file. @returns what it declares */
export async function declarationsOf(load: () => Promise<unknown>): Promise<Declarations> {
  const declarations: Declarations = { tests: [], hooks: { before: [], beforeEach: [], afterEach: [], after: [] } }
  current = declarations
  try {
    await load()
  } finally {
    current = null
  }
  return declarations
}

function declaring(): Declarations {
  if (!current) throw new Error('a test file declares its tests and hooks while it is imported')
  return current
}

type Declare = (title: string, implementation: Implementation) => void

function declare(kind: { serial?: boolean; skipped?: boolean }): Declare {
  return (title, implementation) => {
    const { tests } = declaring()
    if (tests.some((test) => test.title === title)) throw new Error(`Duplicate test title: ${title}`)
    tests.push({ title, implementation, serial: false, skipped: false, ...kind })
  }
}

const hook = (kind: HookKind) => (implementation: Implementation) => void declaring().hooks[kind].push(implementation)

/** Ava's `test`, as far as tests use it, for the parts of a room: it records the declarations, and the room runs them. */
const test = Object.assign(declare({}), {
  skip: declare({ skipped: true }),
  serial: Object.assign(declare({ serial: true }), { skip: declare({ serial: true, skipped: true }) }),
  before: hook('before'),
  beforeEach: hook('beforeEach'),
  afterEach: { always: hook('afterEach') },
  after: { always: hook('after') },
})

// biome-ignore lint/style/noDefaultExport: stands for ava, whose export is the default one
export { test as default }
