import { useEffect, useRef } from 'preact/hooks'
import { here } from '../address/location.ts'
import type { PathParts } from '../address/pattern.ts'
import { readSelf } from '../api/client.ts'
import { useResource } from '../api/resource.ts'
import { isSignedOut } from '../api/session.ts'
import { Announcements } from '../parts/controls/announce.tsx'
import { LinkButton } from '../parts/controls/button.tsx'
import { Page } from '../parts/page/page.tsx'
import { Empty, Loaded, Problem, Skeleton } from '../parts/problems/problem.tsx'
import { Frame } from './frame.tsx'
import { findPage, type PageEntry } from './pages.ts'
import { SignInDialog, SignInPage } from './sign-in.tsx'

/** The whole app: the page at the address, in its frame. When the session ends, a dialog over the page asks to sign in. */
export function App() {
  const self = useResource('self', readSelf)
  const isRead = self.data !== undefined
  const hasSignedIn = useRef(false)
  if (isSignedOut.value) hasSignedIn.current = true
  useEffect(() => {
    if (!isRead) return
    void import('./hints.ts').then(({ followHints }) => followHints())
    void import('./focus.ts').then(({ keepFocus }) => keepFocus(hasSignedIn.current))
  }, [isRead])
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
  if (!found) return <NoPage />
  const { entry, parts } = found
  return 'page' in entry ? <entry.page key={path} {...parts} /> : <LoadedPage key={path} {...entry} parts={parts} />
}

function LoadedPage({ path, load, parts }: Extract<PageEntry, { load: unknown }> & { parts: PathParts }) {
  const script = useResource(`script of ${path}`, load)
  const ThePage = script.data
  // A page is a direct child of the frame, which sets its height.
  return ThePage ? <ThePage {...parts} /> : <Loaded resource={script}>{() => null}</Loaded>
}

function NoPage() {
  return (
    <Page title="Page not found">
      <Empty title="There is no page at this address" action={<LinkButton to="/">Go home</LinkButton>}>
        It may have been renamed or deleted.
      </Empty>
    </Page>
  )
}
