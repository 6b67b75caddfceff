import { here } from '../address/location.ts'
import { readSelf } from '../api/client.ts'
import { useResource } from '../api/resource.ts'
import { isSignedOut } from '../api/session.ts'
import { Announcements } from '../parts/announce.tsx'
import { LinkButton } from '../parts/button.tsx'
import { Page } from '../parts/page.tsx'
import { Empty, Problem, Skeleton } from '../parts/problem.tsx'
import { Frame } from './frame.tsx'
import { findPage } from './pages.ts'
import { SignInDialog, SignInPage } from './sign-in.tsx'

/** The whole page: what stands at the address, in its frame. A session that ends is begun anew over it. */
export function App() {
  const self = useResource('self', readSelf)
  if (self.data) {
    return (
      <>
        <Frame self={self.data}>
          <PageHere />
        </Frame>
        {isSignedOut.value && <SignInDialog email={self.data.user.email} />}
        <Announcements />
      </>
    )
  }
  if (isSignedOut.value) return <SignInPage />
  return (
    <main class="door">
      {self.error ? <Problem error={self.error} onRetry={self.reload} /> : <Skeleton lines={3} />}
    </main>
  )
}

function PageHere() {
  const { path } = here.value
  const found = findPage(path)
  return found ? <found.page key={path} {...found.parts} /> : <NoPage />
}

function NoPage() {
  return (
    <Page title="There is no such page">
      <Empty title="Nothing stands at this address" action={<LinkButton to="/">Go home</LinkButton>}>
        It may have been renamed or deleted. Every list has an address of its own.
      </Empty>
    </Page>
  )
}
