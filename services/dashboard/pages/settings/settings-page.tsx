import { readSelf } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { Page } from '../../parts/page/page.tsx'
import { Loaded } from '../../parts/problems/problem.tsx'
import { PasswordForm } from './password-form.tsx'
import { PreferenceSwitches } from './preference-switches.tsx'
import { ProfileForm } from './profile-form.tsx'
import { Server } from './server.tsx'
import { Sessions } from './sessions.tsx'
import { Setting } from './setting.tsx'

/** The user's profile, password and sessions, the preferences, and the server. */
export function SettingsPage() {
  const self = useResource('self', readSelf)
  return (
    <Page title="Settings">
      <Loaded resource={self}>
        {({ user, ...server }) => (
          <div class="own-settings">
            <Setting title="You" about="How you sign in, and what others see of you.">
              <ProfileForm key={user.updatedAt} user={user} />
            </Setting>
            <Setting title="Password" about="A new password ends all other sessions. This session stays active.">
              <PasswordForm email={user.email} />
            </Setting>
            <Setting title="Sessions" about="Every browser and program in which you are signed in.">
              <Sessions />
            </Setting>
            <Setting title="Dashboard" about="Saved with your user, so it is the same in every browser.">
              <PreferenceSwitches />
            </Setting>
            <Server {...server} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}
