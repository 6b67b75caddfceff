import { useState } from 'preact/hooks'
import type { ListdError } from '#client/src/error.ts'
import { client } from '#services/dashboard/api/client.ts'
import { useResource } from '#services/dashboard/api/resource.ts'
import { Choice, TextField } from '#services/dashboard/parts/controls/field.tsx'
import { messageOf } from '#services/dashboard/parts/problems/problem.tsx'
import { accessCalls } from '#shared/domain/access/calls.ts'
import { compilePermissions, type Permissions } from '#shared/domain/access/compiled-rules.ts'
import type { ActingIdentity } from '#shared/domain/access/ownership.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import type { Thing } from '#shared/domain/access/verdict.ts'
import { tryCell } from './effect.ts'
import { Explained } from './explained.tsx'
import type { Known } from './known.ts'

const nameOf = ({ about, name }: (typeof accessCalls)[number]) => `${about}: ${name}`

/** One call with the token as it is edited: what the API answers, and why. Nothing is sent but reads of what is named. */
export function TryIt({ rules, known }: { rules: readonly PermissionRule[]; known: Known }) {
  const trial = useTrial(known)
  const { call, row, thing, acting, item } = trial
  const cellBy = (permissions: Permissions) => tryCell(permissions, call, thing, acting)
  return (
    <div class="settings">
      <section class="form" aria-label="The call">
        <Choice
          label="Call"
          value={trial.chosen}
          onValue={trial.setChosen}
          choices={accessCalls.map((one) => ({ value: nameOf(one), label: nameOf(one) }))}
        />
        {call.about !== 'identities' && call.about !== 'flows' && (
          <Choice
            label="List"
            value={trial.listId}
            onValue={trial.setList}
            choices={known.lists.map(({ id, pathName }) => ({ value: id, label: pathName }))}
          />
        )}
        {trial.fields.map(([label, help, value, onValue, error]) => (
          <TextField
            key={label}
            label={label}
            help={help}
            value={value}
            onValue={onValue}
            problem={value && error ? messageOf(error) : undefined}
          />
        ))}
      </section>
      <section class="stack" aria-label="The answer">
        <Explained
          rules={rules}
          call={call}
          cell={cellBy(compilePermissions(rules))}
          where={row}
          item={item}
          again={cellBy}
        />
      </section>
    </div>
  )
}

type TrialField = readonly [string, string, string, (value: string) => void, ListdError | undefined]

/** The call that is tried, and what there is of what its fields name. */
function useTrial({ lists }: Known) {
  const [chosen, setChosen] = useState('items: view')
  const [listId, setList] = useState(lists[0]?.id ?? '')
  const [item, setItem] = useState('')
  const [identity, setIdentity] = useState('')
  const [flow, setFlow] = useState('')
  const [acting, setActing] = useState('')
  const call = accessCalls.find((one) => nameOf(one) === chosen) ?? accessCalls[0]
  const list = lists.find(({ id }) => id === listId)
  const aboutItem = call.route.includes('{item}')
  const aboutIdentity = call.about === 'identities'
  const found = useItem(aboutItem ? list?.pathName : undefined, item)
  const subject = useIdentity(aboutIdentity ? identity : '')
  const who = useIdentity(acting)
  const thing: Thing = { identity: { group: subject.data?.group ?? null } }
  if (thing.identity && subject.data) thing.identity.id = subject.data.id
  if (list) thing.list = list
  if (call.about === 'flows' && flow) thing.flowId = flow
  if (found.data) thing.item = found.data
  const actingFor: ActingIdentity | null = who.data ? { id: who.data.id, groupName: who.data.group } : null
  const itemField: TrialField = ['Item', itemHelp, item, setItem, found.error]
  const identityField: TrialField = ['Identity', whoHelp, identity, setIdentity, subject.error]
  const flowField: TrialField = ['Flow', 'Its id; empty: any that no rule names.', flow, setFlow, undefined]
  const fields: readonly TrialField[] = [
    ...(aboutItem ? [itemField] : []),
    ...(aboutIdentity ? [identityField] : []),
    ...(call.about === 'flows' ? [flowField] : []),
    ['Acting for', `${whoHelp} Empty: for nobody.`, acting, setActing, who.error],
  ]
  const listName = list?.pathName ?? 'any list'
  const row = aboutIdentity ? identity || 'any identity' : call.about === 'flows' ? flow || 'any flow' : listName
  return { chosen, setChosen, listId, setList, item, call, row, thing, acting: actingFor, fields }
}

const itemHelp = 'Its id or alias; empty: any that no rule names and nobody owns.'
const whoHelp = 'An id, group/name, or /name without a group.'

function useIdentity(named: string) {
  const found = useResource(named ? `identity ${named}` : null, (signal) => client.identities.get(named, { signal }))
  return { error: found.error, data: found.isOld ? undefined : found.data }
}

function useItem(list: string | undefined, item: string) {
  const key = list && item ? `items ${list} to try ${item}` : null
  const found = useResource(key, async (signal) => {
    const { id, activated, identity } = await client.list(list ?? '').get(item, { includeData: false, signal })
    return { id, activated, ownerId: identity?.id ?? null }
  })
  return { error: found.error, data: found.isOld ? undefined : found.data }
}
