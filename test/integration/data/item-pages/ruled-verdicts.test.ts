import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { startGateway } from '../../../support/http/gateway.ts'
import { type RuledItems, ruledItems } from '../../../support/rules/ruled-gateway.ts'
import { callers, rulesFor, type SampleName, sampleNames, samples } from '../../../support/rules/samples.ts'
import { views } from '../../../support/rules/view-table.ts'
import { changed, type Write, writes } from '../../../support/rules/write-table.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let at: RuledItems

test.before(async () => {
  at = await ruledItems(await startGateway(cleanup, { routes }))
})

type Rules = (typeof views)[number][1]
const sent = (rules: Rules) => rulesFor(rules, at.listId, (name) => at.items[name])
const letter = (is: boolean) => (is ? 'y' : 'n')

for (const [claim, rules, seen] of views) {
  test(`pages, reads and counts agree: ${claim}`, async (t) => {
    const headersOf = await at.token(sent(rules))
    const found: Record<string, string> = { news: '', plan: '', note: '', bare: '' }
    for (const caller of callers) {
      const headers = headersOf(caller)
      const page = await at.ask({ path: `${at.path}/items`, headers })
      const shown = page.status === 200 ? (page.json?.data as { id: string }[]) : []
      if (page.status === 200) t.is(page.json?.total, shown.length)
      else t.true([403, 404].includes(page.status))
      for (const name of sampleNames) {
        const item = await at.ask({ path: `${at.path}/items/${at.items[name]}`, headers })
        const isShown = shown.some(({ id }) => id === at.items[name])
        t.is(item.status === 200, isShown, `${name} for ${caller}`)
        t.true([200, 403, 404].includes(item.status))
        found[name] += letter(isShown)
      }
    }
    t.deepEqual(found, seen)
  })
}

const viewing = (): PermissionRule => ({ mode: 'allow', action: 'view', resourceType: 'item', listIds: [at.listId] })
const dryRun = '?dryRun=true'

/** A write as a single call, and as an operation of a batch. */
function requestsOf(write: Write) {
  const items = `${at.path}/items`
  if (write.call === 'create') {
    const body = { data: write.data(at.ids) }
    return { single: { method: 'POST', path: items + dryRun, body }, operation: { op: 'create', ...body } }
  }
  const item = at.items[write.item]
  const path = `${items}/${item}${dryRun}`
  if (write.call === 'delete') return { single: { method: 'DELETE', path }, operation: { op: 'delete', item } }
  const { data, ...fields } = write.change(at.ids)
  const body = { ...fields, ...(data !== undefined && { data: changed(samples(at.ids)[write.item].data, data) }) }
  return { single: { method: 'PUT', path, body }, operation: { op: 'update', item, ...body } }
}

for (const [claim, rules, allowed] of writes) {
  test(`allowed writes: ${claim}`, async (t) => {
    const headersOf = await at.token([viewing(), ...sent(rules)])
    for (const [write, expected] of allowed) {
      const { single, operation } = requestsOf(write)
      const batch = { method: 'POST', path: `${at.path}/items/batch${dryRun}`, body: { operations: [operation] } }
      let [one, inBatch] = ['', '']
      for (const caller of callers) {
        const headers = headersOf(caller)
        const alone = await at.ask({ ...single, headers })
        t.true([200, 201, 403].includes(alone.status), alone.text)
        one += letter(alone.status < 300)
        inBatch += letter((await at.ask({ ...batch, headers })).status < 300)
      }
      t.deepEqual([one, inBatch], [expected, expected], JSON.stringify(operation))
    }
  })
}

test('real writes agree with dry runs: nothing is written if the answer is an error', async (t) => {
  const edit = { mode: 'allow', action: 'update', where: { status: 'eq:draft' }, changes: ['/title'] } as const
  const headersOf = await at.token([viewing(), ...sent([{ ...edit, changes: [...edit.changes] }])])
  const names: SampleName[] = ['news', 'plan']
  for (const name of names) {
    const path = `${at.path}/items/${at.items[name]}`
    const before = (await at.ask({ path })).json
    for (const body of [{ tags: ['other'] }, { data: { ...Object(before?.data), rank: 77 } }]) {
      const { status } = await at.ask({ method: 'PUT', path, headers: headersOf('nobody'), body })
      t.is(status, 403)
    }
    t.deepEqual((await at.ask({ path })).json, before)
  }
})
