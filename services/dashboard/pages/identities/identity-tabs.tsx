import { Tabs } from '../../parts/controls/tabs.tsx'

/** The tabs of identities and their groups. */
export function IdentityTabs({ on }: { on: 'identities' | 'groups' }) {
  return (
    <Tabs
      tabs={[
        { to: '/identities', label: 'Identities', on: on === 'identities' },
        { to: '/identity-groups', label: 'Groups', on: on === 'groups' },
      ]}
    />
  )
}
