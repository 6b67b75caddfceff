import type { SignedIn } from '#client/src/types/user-resources.ts'
import { CopyButton } from '../../parts/controls/copy.tsx'
import { Facts } from '../../parts/display/marks.tsx'
import { At, count, size } from '../../parts/display/text.tsx'
import { HealthList } from './health-list.tsx'
import { limitsOf, type PlanLimit } from './plan-limits.ts'
import { Setting } from './setting.tsx'

/** The plan and usage of the account, and its server. */
export function Server({ account, plan, usage, version }: Omit<SignedIn, 'user'>) {
  const { limits, unlimited } = limitsOf(plan, usage)
  return (
    <>
      <Setting title="Plan" about={`The limits of the account ${account.name}. The operator of this server sets them.`}>
        <div class="form">
          <Facts facts={[['plan', plan.name], ...limits.map((limit) => [limit.about, shown(limit)] as const)]} />
          {usage.degraded && (
            <p class="warn">
              The requests of this month are used up: writes are rejected, and reads are slower
              {usage.periodEnd !== null && (
                <>
                  {' '}
                  until <At at={usage.periodEnd} />
                </>
              )}
              .
            </p>
          )}
          {unlimited.length > 0 && <p class="muted">No limit: {unlimited.join(', ')}.</p>}
        </div>
      </Setting>
      <Setting title="Health" about="What the server needs to answer.">
        <HealthList />
      </Setting>
      <Setting title="Server" about="For its operator.">
        <Facts
          facts={[
            ['version', version],
            ['backup', <Backup key="backup" />],
            ['API', <Api key="api" />],
          ]}
        />
      </Setting>
    </>
  )
}

function shown({ unit, used, max }: PlanLimit): string {
  if (max === null) return `${amount(unit, used ?? 0)}, without limit`
  return used === null ? amount(unit, max) : `${amount(unit, used)} of ${amount(unit, max)}`
}

function amount(unit: PlanLimit['unit'], n: number): string {
  if (unit === 'bytes') return size(n)
  return unit === 'percent' ? `${count(n)} %` : count(n)
}

const backup = 'listd backup listd-backup.db'

function Backup() {
  return (
    <>
      <div class="row">
        <code>{backup}</code>
        <CopyButton text={backup} what="The command" />
      </div>
      <p class="muted">
        It copies the built-in database while listd runs. For Postgres or MySQL it prints the backup command of that
        database. Keep the master key separately: no backup contains it.
      </p>
    </>
  )
}

function Api() {
  return (
    <>
      <a class="link" href="/openapi.json" target="_blank" rel="noreferrer">
        /openapi.json
      </a>
      <p class="muted">The API of this server as OpenAPI 3.1, for editors, generators and viewers.</p>
    </>
  )
}
