import test from 'ava'
import { ListdError } from '#client/src/error.ts'
import { createList } from '#services/dashboard/pages/new-list/create-list.ts'

type Calls = Parameters<typeof createList>[0]

/** A server whose plan has these actions, and that can apply it. */
function planning(actions: string[], apply: () => Promise<unknown> = async () => ({})) {
  const applied: unknown[] = []
  const sync = {
    plan: async () => ({ planHash: 'h', changes: actions.map((action) => ({ action })) }),
    apply: async (_document: unknown, options: unknown) => {
      applied.push(options)
      return apply()
    },
  }
  return { client: { sync } as unknown as Calls, applied }
}

const document = { lists: { recipes: {} } }

test('a list is created with exactly the plan that only creates', async (t) => {
  const { client, applied } = planning(['create', 'create'])
  t.is(await createList(client, document), 'created')
  t.deepEqual(applied, [{ planHash: 'h' }])
})

test('an existing list is not changed', async (t) => {
  for (const actions of [['update', 'create'], ['no-change'], ['create', 'adopt']]) {
    const { client, applied } = planning(actions)
    t.is(await createList(client, document), 'taken')
    t.deepEqual(applied, [])
  }
})

test('a list that another client created in the meantime is not changed', async (t) => {
  const changed = new ListdError({ name: 'SCHEMA_SYNC_PLAN_CHANGED', message: '', status: 409 })
  const { client } = planning(['create'], () => Promise.reject(changed))
  t.is(await createList(client, document), 'taken')
})

test('a list that an earlier try created without receiving a response counts as created', async (t) => {
  const { client } = planning(['no-change', 'no-change'])
  t.is(await createList(client, document, { mayExist: true }), 'created')
})

test('any other failure is thrown', async (t) => {
  const failure = new ListdError({ name: 'CONNECTION_FAILED', message: '' })
  const { client } = planning(['create'], () => Promise.reject(failure))
  t.is(await t.throwsAsync(createList(client, document)), failure)
})
