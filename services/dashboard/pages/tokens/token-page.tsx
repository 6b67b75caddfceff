import { useState } from 'preact/hooks'
import { route } from '#client/src/transport.ts'
import type { ApiToken } from '#client/src/types/user-resources.ts'
import { here } from '../../address/location.ts'
import { withQuery } from '../../address/pattern.ts'
import { account } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { SaveBar } from '../../forms/save-bar.tsx'
import { useSaving } from '../../forms/use-saving.ts'
import { Button } from '../../parts/controls/button.tsx'
import { Tabs } from '../../parts/controls/tabs.tsx'
import { Note, Pill } from '../../parts/display/marks.tsx'
import { Ago } from '../../parts/display/text.tsx'
import { tokensCrumb } from '../../parts/page/crumbs.ts'
import { Page } from '../../parts/page/page.tsx'
import { UnreadPage } from '../../parts/page/unread-page.tsx'
import { Loaded, Problem } from '../../parts/problems/problem.tsx'
import { EffectGrid } from './effect/effect-grid.tsx'
import { type Known, useKnown } from './effect/known.ts'
import { TryIt } from './effect/try-it.tsx'
import { RuleList } from './rules/rule-list.tsx'
import { SaveRules } from './save-rules.tsx'
import { TokenSettings } from './token-settings.tsx'
import { type TokenForm, useTokenForm } from './use-token-form.ts'
import { stateOf } from './words.ts'

/** One API token: its rules, a trial of calls, and its settings. @param token its id */
export function TokenPage({ token: id }: { token: string }) {
  const token = useResource(`token ${id}`, (signal) => account.tokens.get(id, { signal }))
  if (token.data && !token.error) return <LoadedToken key={token.data.id} token={token.data} />
  return <UnreadPage title="Token" crumbs={[tokensCrumb]} resource={token} />
}

const tabs = [
  ['', 'Rules'],
  ['try', 'Try it'],
  ['settings', 'Settings'],
] as const

function LoadedToken({ token }: { token: ApiToken }) {
  const form = useTokenForm(token)
  const known = useKnown(token.permissions)
  const tab = here.value.query.get('tab') ?? ''
  const { label, tone } = stateOf(token, Date.now())
  return (
    <Page
      title={token.name}
      crumbs={[tokensCrumb]}
      marks={
        <>
          <Pill tone={tone}>{label}</Pill>
          <span class="muted">
            {token.lastUsedAt ? (
              <>
                used <Ago at={token.lastUsedAt} />
              </>
            ) : (
              'never used'
            )}
          </span>
        </>
      }
      tabs={
        <Tabs
          tabs={tabs.map(([name, label]) => ({
            to: withQuery(here.value, { tab: name || null }),
            label,
            count: name === '' ? form.draft.permissions.length : undefined,
            on: tab === name,
          }))}
        />
      }
    >
      {token.unknownRules && <UnknownRules token={token} positions={token.unknownRules} />}
      {form.error && (
        <div class="pad">
          <Problem error={form.error} />
        </div>
      )}
      {tab === 'settings' ? (
        <TokenSettings token={token} form={form} />
      ) : (
        <Loaded resource={known}>
          {(data) =>
            tab === 'try' ? (
              <TryIt
                rules={form.draft.permissions}
                saved={token.permissions}
                token={{ id: token.id, tags: form.draft.tags }}
                known={data}
              />
            ) : (
              <Rules form={form} known={data} />
            )
          }
        </Loaded>
      )}
      <Save token={token} form={form} known={known.data} />
    </Page>
  )
}

/** Reports rules that cannot be evaluated, because an index has changed since they were saved. */
function UnknownRules({ token, positions }: { token: ApiToken; positions: readonly number[] }) {
  const { run, busy, other } = useSaving()
  const save = () =>
    run(() => account.tokens.update(token.id, { permissions: token.permissions }), {
      said: 'The rules were saved again.',
      stale: 'token',
    })
  const rules = `Rule${positions.length > 1 ? 's' : ''} ${positions.map((n) => n + 1).join(', ')}`
  return (
    <div class="pad stack">
      <Note tone="warn">
        <b>{rules}</b> cannot be evaluated, so they allow nothing or block everything they select: an index has changed
        since the rules were saved.
      </Note>
      {other && <Problem error={other} />}
      <div class="row">
        <Button busy={busy} onPress={save}>
          Save the rules again
        </Button>
      </div>
    </div>
  )
}

/** The rules, with their effect next to them. */
function Rules({ form, known }: { form: TokenForm; known: Known }) {
  const [chosen, setChosen] = useState<number | null>(null)
  const { permissions } = form.draft
  return (
    <div class="split wide">
      <RuleList
        rules={permissions}
        known={known}
        marked={chosen}
        onChange={(rules) => form.edit({ permissions: [...rules] })}
      />
      <EffectGrid rules={permissions} known={known} onDecided={setChosen} />
    </div>
  )
}

/** The save bar. Changed rules are saved only after a dialog has shown their effect. */
function Save({ token, form, known }: { token: ApiToken; form: TokenForm; known: Known | undefined }) {
  const [asks, setAsks] = useState(false)
  const save = () => (form.changes.permissions && known ? setAsks(true) : form.save())
  const path = route`/tokens/${token.id}`
  const body = JSON.stringify(form.changes)
  return (
    <>
      <SaveBar
        what="Your changes to the token"
        form={{ ...form, save }}
        call={{ method: 'PUT', path, body, sdk: `account.tokens.update('${token.id}', ${body})`, userMode: true }}
      />
      {asks && known && (
        <SaveRules
          tokenId={token.id}
          before={token.permissions}
          after={form.draft.permissions}
          known={known}
          onSave={() => {
            setAsks(false)
            form.save()
          }}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  )
}
