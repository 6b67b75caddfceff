import { stripVTControlCharacters } from 'node:util'
import test from 'ava'
import { createPaint, plain } from '#services/supervisor/remote/paint.ts'
import { renderPlan } from '#services/supervisor/remote/schema/render-plan.ts'
import type { PlannedSync, SyncFlags } from '#services/supervisor/remote/schema/sync-report.ts'

const none: SyncFlags = { prune: false, allowRebuild: false, allowDestructive: false }
const all: SyncFlags = { prune: true, allowRebuild: true, allowDestructive: true }

function plan(changes: PlannedSync['changes'], summary: Partial<PlannedSync['summary']> = {}): PlannedSync {
  const count = (action: string) => changes.filter((change) => change.action === action).length
  return {
    syncId: 's',
    planHash: 'h',
    dryRun: true,
    applied: false,
    prune: false,
    scope: 'cookbook',
    changes,
    summary: {
      create: count('create'),
      update: count('update'),
      adopt: count('adopt'),
      delete: count('delete'),
      noChange: count('no-change'),
      error: count('error'),
      builds: 0,
      destructive: 0,
      ...summary,
    },
    blockedBy: null,
  }
}

const list = (name: string) => ({ resourceType: 'list', list: name }) as const
const index = (name: string, of = 'recipes') => ({ resourceType: 'index', list: of, index: name }) as const

const everything = plan(
  [
    { ...list('recipes'), action: 'create' },
    { ...list('menus'), action: 'update', fields: { name: { from: 'Menus', to: 'Menu cards' } } },
    { ...list('plain'), action: 'no-change' },
    { ...index('slug'), action: 'create', build: { reason: 'created', items: 1200, requiresConfirmation: false } },
    {
      ...index('serves'),
      action: 'update',
      fields: { pointer: { from: '/serves', to: '/portions' } },
      build: { reason: 'pointerChanged', items: 1, requiresConfirmation: true },
    },
    {
      ...index('secret'),
      action: 'update',
      fields: { guard: { from: true, to: false } },
      warnings: ['It will be seen.'],
    },
    { ...list('wines'), action: 'adopt', fields: { scope: { from: null, to: 'cookbook' } } },
    { ...list('drinks'), action: 'delete', delete: { items: 40, indexes: 3, destructive: true } },
    {
      ...index('x'),
      action: 'error',
      errors: [{ name: 'VALIDATION_FAILED', code: 1, message: 'It needs a pointer.' }],
    },
  ],
  { destructive: 2 },
)

test('a plan shows its changes with signs, in columns, and the options that are missing', (t) => {
  t.is(
    renderPlan(everything, { flags: none, paint: plain }),
    `+ create    list  recipes
~ update    list  menus
    name     "Menus" → "Menu cards"
+ create    index recipes.slug
    build    with the values of 1,200 items
~ update    index recipes.serves
    pointer  "/serves" → "/portions"
    rebuild  with the values of 1 item
    needs    --allow-rebuild
~ update    index recipes.secret
    guard    true → false
    needs    --allow-destructive
    warning  It will be seen.
> adopt     list  wines
    scope    null → "cookbook"
- delete    list  drinks
    deletes  40 items and 3 indexes
    needs    --allow-destructive
! error     index recipes.x
    error    It needs a pointer.

Scope cookbook: 2 to create, 3 to update, 1 to adopt, 1 to delete, 1 with errors, 1 unchanged.
Not allowed yet; add --allow-rebuild --allow-destructive.
`,
  )
})

test('a plan with all options does not request any', (t) => {
  t.notRegex(renderPlan(everything, { flags: all, paint: plain }), /--allow/)
})

test('a plan without changes says so', (t) => {
  const unchanged = plan([{ ...list('recipes'), action: 'no-change' }])
  t.is(renderPlan(unchanged, { flags: none, paint: plain }), 'Scope cookbook: nothing to do, 1 unchanged.\n')
  t.is(renderPlan({ ...unchanged, scope: null }, { flags: none, paint: plain }), 'Nothing to do, 1 unchanged.\n')
})

test('a document without lists has no unchanged ones', (t) => {
  t.is(renderPlan(plan([]), { flags: none, paint: plain }), 'Scope cookbook: nothing to do.\n')
})

test('of a long value only the differences are shown, the first eight of them', (t) => {
  const schema = (max: number) => ({
    properties: Object.fromEntries(Array.from('abcdefghij', (name) => [name, { maxLength: max }])),
  })
  const text = 'x'.repeat(100)
  const fields = { schema: { from: schema(1), to: schema(2) }, description: { from: '', to: text } }
  const shown = renderPlan(plan([{ ...list('recipes'), action: 'update', fields }]), { flags: none, paint: plain })
  t.regex(shown, /^ {4}schema +\/properties\/a\/maxLength: 1 → 2$/m)
  t.regex(shown, /^ +\/properties\/h\/maxLength: 1 → 2\n +and 2 more$/m)
  t.regex(shown, /^ {4}description {2}"" → "x{59}…$/m)
})

test('text from users cannot move the cursor of a terminal', (t) => {
  const shown = renderPlan(
    plan([{ ...list('re\u001b[2Jcipes'), action: 'update', fields: { name: { from: 'a', to: 'b\u202e' } } }]),
    { flags: none, paint: plain },
  )
  t.notRegex(shown, /(?!\n)[\p{Cc}\p{Cf}]/u)
})

test('colors are only used on a terminal, unless NO_COLOR is set', (t) => {
  const render = (env: Record<string, string>, isTTY: boolean) =>
    renderPlan(everything, { flags: none, paint: createPaint({ env }, { isTTY }) })
  const colored = render({}, true)
  t.not(colored, render({}, false))
  t.is(stripVTControlCharacters(colored), render({}, false))
  t.is(render({ NO_COLOR: '1' }, true), render({}, false))
  t.is(render({ NO_COLOR: '' }, true), colored)
})
