import { route } from '#client/src/transport.ts'
import type { OwnIdentity } from '#client/src/types/resources.ts'
import { client } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { SaveBar } from '../../forms/save-bar.tsx'
import { useEdits } from '../../forms/use-edits.ts'
import { Link } from '../../parts/controls/button.tsx'
import { Switch, TextField } from '../../parts/controls/field.tsx'
import { Facts, Pill } from '../../parts/display/marks.tsx'
import { Ago, At, countOf } from '../../parts/display/text.tsx'
import { identitiesCrumb } from '../../parts/page/crumbs.ts'
import { Page } from '../../parts/page/page.tsx'
import { UnreadPage } from '../../parts/page/unread-page.tsx'
import { Problem } from '../../parts/problems/problem.tsx'
import { Activity } from '../activity/activity.tsx'
import { DeleteIdentity } from './delete-identity.tsx'
import { IdentityEvents } from './identity-events.tsx'
import { isOwn } from './own-identity.ts'
import { OwnedItems } from './owned-items.tsx'
import { SignIn } from './sign-in.tsx'

/** One identity: its profile, sign-in, and items. @param identity its id */
export function IdentityPage({ identity: id }: { identity: string }) {
  const found = useResource(`identity ${id}`, (signal) => client.identities.get(id, { signal }))
  if (found.data && isOwn(found.data) && !found.error) return <OneIdentity key={found.data.id} identity={found.data} />
  return <UnreadPage title="Identity" crumbs={[identitiesCrumb]} resource={found} />
}

function OneIdentity({ identity }: { identity: OwnIdentity }) {
  const { name, displayName, activated } = identity
  const form = useIdentityForm(identity)
  return (
    <Page
      title={displayName || name}
      crumbs={[identitiesCrumb]}
      marks={activated ? <Pill tone="good">activated</Pill> : <Pill tone="warn">switched off</Pill>}
    >
      <div class="settings">
        <WhoItIs identity={identity} />
        {form.other && <Problem error={form.other} />}
        <Fields identity={identity} form={form} />
        <SignIn identity={identity} />
        <OwnedItems identity={identity} />
        <IdentityEvents identity={identity} />
        <Activity
          of={`identity activity ${identity.id}`}
          read={(options) => client.identities.stats(identity.id, options)}
        />
        <DeleteIdentity identity={identity} />
      </div>
      <SaveBar
        what="Your changes to the identity"
        form={form}
        call={{
          method: 'PUT',
          path: route`/identities/${identity.id}`,
          body: JSON.stringify(form.changes),
          sdk: `listd.identities.update('${identity.id}', ${JSON.stringify(form.changes)})`,
        }}
      />
    </Page>
  )
}

function WhoItIs({ identity: { id, group, createdAt, lastLoginAt, sessionCount } }: { identity: OwnIdentity }) {
  return (
    <Facts
      facts={[
        ['Id', <code key="id">{id}</code>],
        ['Group', group === null ? 'none' : <Link to={route`/identity-groups/${group}`}>{group}</Link>],
        ['Created', <At key="at" at={createdAt} />],
        ['Signed in', lastLoginAt ? <Ago at={lastLoginAt} /> : 'never'],
        ['Sessions', countOf(sessionCount, 'active session')],
      ]}
    />
  )
}

type Form = ReturnType<typeof useIdentityForm>

function Fields({ identity, form: { draft, edit, flag, problems } }: { identity: OwnIdentity; form: Form }) {
  const field = (name: 'name' | 'displayName' | 'email', label: string, help: string) => ({
    label,
    help,
    value: draft[name] ?? '',
    problem: problems.get(name),
    onValue: (value: string) => edit({ [name]: name === 'email' ? value || null : value }),
  })
  const ended = countOf(identity.sessionCount, 'active session')
  return (
    <section class="form" aria-label="Profile">
      <h2>Profile</h2>
      <TextField {...field('name', 'Name', 'Used to sign in.')} />
      <TextField {...field('displayName', 'Shown as', 'Shown next to its items.')} />
      <TextField
        {...field(
          'email',
          'E-mail',
          'A new e-mail has to be verified again, and makes the one-time tokens of the identity invalid.',
        )}
        type="email"
        autocomplete="off"
      />
      <Switch label="The e-mail is verified" disabled={draft.email === null} {...flag('emailVerified')} />
      <Switch
        label="Activated"
        help={
          draft.activated === identity.activated
            ? 'It can sign in.'
            : draft.activated
              ? 'It can sign in again.'
              : `Saving ends its ${ended}.`
        }
        {...flag('activated')}
      />
    </section>
  )
}

type Draft = Pick<OwnIdentity, 'name' | 'displayName' | 'email' | 'emailVerified' | 'activated'>

function useIdentityForm(identity: OwnIdentity) {
  return useEdits({
    stored: identity as Draft,
    write: (changes: Partial<Draft>) => client.identities.update(identity.id, changes),
    said: 'The identity was saved.',
    stale: 'identit',
  })
}
