import { route } from '#client/src/transport.ts'
import type { IdentityGroup, IdentityGroupSettings } from '#client/src/types/user-resources.ts'
import { account, client } from '#services/dashboard/api/client.ts'
import { useResource } from '#services/dashboard/api/resource.ts'
import { DeleteButton } from '#services/dashboard/forms/delete-section.tsx'
import { SaveBar } from '#services/dashboard/forms/save-bar.tsx'
import { useEdits } from '#services/dashboard/forms/use-edits.ts'
import { Link } from '#services/dashboard/parts/controls/button.tsx'
import { Switch, TextField } from '#services/dashboard/parts/controls/field.tsx'
import { Note } from '#services/dashboard/parts/display/marks.tsx'
import { countOf } from '#services/dashboard/parts/display/text.tsx'
import { groupsCrumb, identitiesCrumb } from '#services/dashboard/parts/page/crumbs.ts'
import { Page } from '#services/dashboard/parts/page/page.tsx'
import { UnreadPage } from '#services/dashboard/parts/page/unread-page.tsx'
import { Problem } from '#services/dashboard/parts/problems/problem.tsx'
import { groupFields } from '#shared/domain/identity/group-fields.ts'
import { DurationField } from './duration-field.tsx'
import { consequencesOf, type GroupDraft } from './group-draft.ts'

const crumbs = [identitiesCrumb, groupsCrumb]

/** One identity group: its session lifetimes and its sign-in rules. @param group its name or id */
export function GroupPage({ group: name }: { group: string }) {
  const group = useResource(`groups ${name}`, (signal) => account.groups.get(name, { signal }))
  if (group.data && !group.error) return <OneGroup key={group.data.id} group={group.data} />
  return <UnreadPage title="Group" crumbs={crumbs} resource={group} />
}

function OneGroup({ group }: { group: IdentityGroup }) {
  const form = useGroupForm(group)
  const reported = consequencesOf(group, form.changes)
  const path = route`/identity-groups/${group.name}`
  const body = JSON.stringify(form.changes)
  return (
    <Page title={group.name} crumbs={crumbs}>
      <div class="settings">
        {form.other && <Problem error={form.other} />}
        <Fields form={form} />
        <div role="status">
          {reported.length > 0 && (
            <Note tone="warn">
              <b>When you save: </b>
              {reported.join(' ')}
            </Note>
          )}
        </div>
        <Members group={group} />
      </div>
      <SaveBar
        what="Your changes to the group"
        form={form}
        call={{ method: 'PUT', path, body, sdk: `account.groups.update('${group.name}', ${body})`, userMode: true }}
      />
    </Page>
  )
}

type Form = ReturnType<typeof useGroupForm>

function Fields({ form: { draft, edit, flag, problems } }: { form: Form }) {
  return (
    <section class="form" aria-label="Settings of the group">
      <DurationField
        label="Session lifetime"
        help={groupFields.sessionLifetimeSeconds.about}
        seconds={draft.sessionLifetimeSeconds}
        problem={problems.get('sessionLifetimeSeconds')}
        onSeconds={(sessionLifetimeSeconds) => edit({ sessionLifetimeSeconds })}
      />
      <Switch
        label="End unused sessions"
        on={draft.sessionIdleSeconds !== null}
        onChange={(on) => edit({ sessionIdleSeconds: on ? 86_400 : null })}
      />
      {draft.sessionIdleSeconds !== null && (
        <DurationField
          label="Unused for"
          seconds={draft.sessionIdleSeconds}
          problem={problems.get('sessionIdleSeconds')}
          onSeconds={(sessionIdleSeconds) => edit({ sessionIdleSeconds })}
        />
      )}
      <Switch label="Require an e-mail to register" {...flag('requireEmail')} />
      <Switch label="Require a verified e-mail to sign in" {...flag('requireVerifiedEmail')} />
      <TextField
        label="Minimum password length"
        value={String(draft.minPasswordLength)}
        problem={problems.get('minPasswordLength')}
        onValue={(text) => edit({ minPasswordLength: Number(text) || 0 })}
      />
    </section>
  )
}

/** Identities; a group without any can be deleted. */
function Members({ group: { name } }: { group: IdentityGroup }) {
  const members = useResource(`identities of ${name}`, (signal) =>
    client.identities.all({ where: { group: name }, limit: 1, signal }).page(1),
  )
  const total = members.data?.total
  return (
    <section class="form" aria-label="Identities">
      <h2>Identities</h2>
      {total !== undefined && (
        <p>
          <Link to={`/identities?group=${encodeURIComponent(name)}`}>{countOf(total, 'identity', 'identities')}</Link>
        </p>
      )}
      <div class="row">
        <DeleteButton
          what="group"
          name={name}
          disabled={total !== 0}
          remove={() => account.groups.delete(name)}
          stale="groups"
          to="/identity-groups"
        >
          <p>
            This deletes the settings of the group. The next registration in {name} creates it again, with default
            settings.
          </p>
        </DeleteButton>
        {total !== 0 && <span class="muted">Only a group without identities can be deleted.</span>}
      </div>
    </section>
  )
}

function useGroupForm(group: IdentityGroup) {
  return useEdits({
    stored: group as GroupDraft,
    write: (changes: IdentityGroupSettings) => account.groups.update(group.id, changes),
    said: 'The group was saved.',
    stale: 'groups',
  })
}
