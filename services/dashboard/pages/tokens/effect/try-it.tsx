import { Choice, TextField } from '#services/dashboard/parts/controls/field.tsx'
import { accessCalls } from '#shared/domain/access/calls.ts'
import { compilePermissions, type Permissions } from '#shared/domain/access/compiled-rules.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import type { Grant } from '#shared/domain/access/permissions.ts'
import { readRuleIndexes } from '#shared/domain/item-rules/rule-indexes.ts'
import { conditionsMet } from './conditions-met.ts'
import { tryCell } from './effect.ts'
import { Explained } from './explained.tsx'
import type { Known } from './known.ts'
import { type IndexesOfLists, toListIndexes, useIndexesOf } from './list-indexes.ts'
import { createdOf, newItem, statesOf, withConditions } from './tried-item.ts'
import { nameOf, type Trial, useTrial } from './use-trial.ts'
import { VisibleCounts } from './visible-count.tsx'

type TryItProps = {
  rules: readonly PermissionRule[]
  /** The rules as they are saved. */
  saved: readonly PermissionRule[]
  token: { id: string; tags: readonly string[] }
  known: Known
}

/** Tries one call with the edited rules: shows the API's response and the reason. Only reads of the named things are sent. */
export function TryIt({ rules, saved, token, known }: TryItProps) {
  const trial = useTrial(known)
  const { call, row, item, list } = trial
  const lists = useIndexesOf(list ? [list.id] : [])
  const indexes = lists.isOld ? undefined : lists.data
  const { cellBy, reported } = answerOf(trial, { rules, token, indexes })
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
        {trial.fields.map(({ label, help, value, onValue, problem, lines }) => (
          <TextField
            key={label}
            label={label}
            help={help}
            value={value}
            onValue={onValue}
            problem={value && problem !== undefined ? problem : undefined}
            {...(lines && { lines, mono: true })}
          />
        ))}
      </section>
      <section class="stack" aria-label="The answer">
        <Explained
          rules={rules}
          call={call}
          cell={cellBy(compilePermissions(rules, reported.indexes))}
          where={row}
          item={item}
          reported={reported.sentences}
          again={cellBy}
        />
        {list && call.about === 'items' && (
          <VisibleCounts
            lists={[list]}
            tokenId={token.id}
            identityId={trial.acting?.id ?? null}
            before={saved}
            after={rules}
          />
        )}
      </section>
    </div>
  )
}

type Asked = Pick<TryItProps, 'rules' | 'token'> & { indexes: IndexesOfLists | undefined }

/** The API's response for given rules, and whether the conditions of the edited rules are met. */
function answerOf(trial: Trial, { rules, token, indexes }: Asked) {
  const { call, thing, acting, list, data } = trial
  const ofList = list && indexes && toListIndexes(indexes, list.id)
  const ruled = list && ofList && { id: list.id, indexes: ofList }
  const listIds = new Set(ruled ? [ruled.id] : [])
  // Conditions on other lists are not evaluated.
  const asked = rules.map((rule) => ({
    ...rule,
    ...(rule.listIds && { listIds: rule.listIds.filter((id) => listIds.has(id)) }),
  }))
  const saved = ruled ? readRuleIndexes(asked, () => ruled.indexes, 'permissions').indexes : []
  const tried = (permissions: Permissions) => {
    const grant: Grant = {
      permissions,
      identity: acting,
      tokenId: token.id,
      tokenTags: token.tags,
      askedAt: trial.askedAt,
    }
    const item = call.name === 'create' && ruled ? newItem(data ?? 'null', grant, ruled.id) : trial.found
    const states =
      ruled && item && (call.name === 'create' ? createdOf(item, ruled) : statesOf(ruled, item, { data, grant }))
    const about = ruled ? withConditions(thing, grant, ruled, states ?? null) : thing
    return { grant, states, about }
  }
  const compiled = compilePermissions(rules, saved)
  const { grant, states, about } = tried(compiled)
  const { verdict } = tryCell(grant, call, about)
  const sentences = states ? conditionsMet({ grant, call, thing: about, verdict, states }) : []
  const cellBy = (permissions: Permissions) => {
    const other = tried(permissions)
    return tryCell(other.grant, call, other.about)
  }
  return { cellBy, reported: { indexes: saved, sentences } }
}
