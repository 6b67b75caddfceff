import { here } from '../address/location.ts'
import { readSelf } from '../api/client.ts'
import { useResource } from '../api/resource.ts'
import { session } from '../api/session.ts'
import { Announcements } from '../parts/announce.tsx'
import { LinkButton } from '../parts/button.tsx'
import { Page } from '../parts/page.tsx'
import { Empty, Problem, Skeleton } from '../parts/problem.tsx'
import { Frame } from './frame.tsx'
import { type FoundPage, findPage } from './pages.ts'
import { SignInDialog, SignInPage } from './sign-in.tsx'

/** The whole page: what stands at the address, in its frame. A session that ends is begun anew over it. */
export function App() {
  const self = useResource('self', readSelf)
  const isEnded = session.value === 'ended'
  if (self.data) {
    return (
      <>
        <Frame self={self.data}>
          <PageHere />
        </Frame>
        {isEnded && <SignInDialog email={self.data.user.email} />}
        <Announcements />
      </>
    )
  }
  if (isEnded) return <SignInPage />
  return (
    <main class="door">
      {self.error ? <Problem error={self.error} onRetry={self.reload} /> : <Skeleton lines={3} />}
    </main>
  )
}

function PageHere() {
  const found = findPage(here.value.path)
  return found ? <OpenPage key={here.value.path} {...found} /> : <NoPage />
}

function OpenPage({ path, parts, source }: FoundPage) {
  // Loading the script of a page fails where the server was upgraded: then the page has to be loaded anew.
  const loaded = useResource('page' in source ? null : `page ${path}`, () =>
    'load' in source ? source.load() : never(),
  )
  const Component = 'page' in source ? source.page : loaded.data
  if (Component) return <Component {...parts} />
  return loaded.error ? <Outdated /> : <Skeleton />
}

const never = () => new Promise<never>(() => {})

function Outdated() {
  return (
    <Page title="This page has been replaced">
      <Empty
        title="Load it again"
        action={
          <button type="button" class="button primary" onClick={() => location.reload()}>
            Load again
          </button>
        }
      >
        The server runs another version now, or it cannot be reached.
      </Empty>
    </Page>
  )
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
