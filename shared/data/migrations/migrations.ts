import { up as first } from './001-first.ts'
import { up as accounts, fillTokenKeys } from './002-accounts.ts'
import { up as identityTokens } from './003-identity-tokens.ts'
import { up as indexBuilds } from './004-index-builds.ts'
import { fillIdentityKeys, up as identities } from './005-identities.ts'
import { up as idempotencyKeys } from './006-idempotency-keys.ts'
import { addEntries, dropNumberValues, fillEntries, up as indexEntries } from './007-index-entries.ts'
import { up as oldSecrets } from './009-old-secrets.ts'
import { dropFormerIndex, up as entryTimes, fillEntryTimes } from './010-entry-times.ts'
import { fillInstallationId } from './012-installation.ts'
import { renameInAccounts, renameInOutbox } from './013-listener-epoch.ts'
import { up as disabledUsers } from './015-disabled-users.ts'
import { up as preferences } from './016-preferences.ts'
import { up as webhookSettings } from './017-webhook-settings.ts'
import { up as notices } from './018-notices.ts'
import { up as attemptDetails } from './019-attempt-details.ts'
import { fillListTags, up as listTags } from './020-list-tags.ts'
import { up as eventCountShards } from './022-event-count-shards.ts'
import { alignItemTimes } from './023-item-times.ts'
import { countBytes, up as storedBytes } from './024-stored-bytes.ts'
import { beginTermBuilds, up as itemTerms } from './025-item-terms.ts'
import { up as arrayElements, fillElements } from './026-array-elements.ts'
import { up as requestMonths } from './027-request-months.ts'
import { up as flows } from './028-flows.ts'
import { fillFlowUses, up as flowUses } from './029-flow-uses.ts'
import { up as heldEvents } from './030-held-events.ts'
import { writeFlowFilters } from './031-flow-filters.ts'
import { up as conditionalRules } from './032-conditional-rules.ts'
import { foldTerms } from './033-folded-terms.ts'
import { rereadDates } from './034-date-readings.ts'
import { up as realtime } from './035-realtime.ts'
import { up as runCauses } from './036-run-causes.ts'
import { up as requestHours } from './037-request-hours.ts'
import type { Migration } from './migration.ts'

/** All steps in order. What a release has is never changed again (docs/design/storage.md). */
export const migrations: readonly Migration[] = [
  { version: 1, compatibleFrom: 1, up: first },
  { version: 2, compatibleFrom: 1, up: accounts, moves: [fillTokenKeys] },
  { version: 3, compatibleFrom: 1, up: identityTokens },
  { version: 4, compatibleFrom: 4, up: indexBuilds },
  // Older code does not write the new keys.
  { version: 5, compatibleFrom: 5, up: identities, moves: [fillIdentityKeys] },
  { version: 6, compatibleFrom: 5, up: idempotencyKeys },
  // Older code does not write the new columns, and writes one that is dropped.
  { version: 7, compatibleFrom: 7, up: indexEntries, moves: [fillEntries, addEntries] },
  { version: 8, compatibleFrom: 7, up: dropNumberValues },
  { version: 9, compatibleFrom: 7, up: oldSecrets },
  // Older code does not write the new column.
  { version: 10, compatibleFrom: 10, up: entryTimes, moves: [fillEntryTimes] },
  { version: 11, compatibleFrom: 10, up: dropFormerIndex },
  { version: 12, compatibleFrom: 10, up: () => [], moves: [fillInstallationId] },
  // Older code reads and writes the columns by their former name.
  { version: 13, compatibleFrom: 13, up: renameInAccounts },
  { version: 14, compatibleFrom: 14, up: renameInOutbox },
  // Older code signs disabled users in.
  { version: 15, compatibleFrom: 15, up: disabledUsers },
  { version: 16, compatibleFrom: 15, up: preferences },
  { version: 17, compatibleFrom: 15, up: webhookSettings },
  { version: 18, compatibleFrom: 15, up: notices },
  { version: 19, compatibleFrom: 15, up: attemptDetails },
  { version: 20, compatibleFrom: 15, up: listTags, moves: [fillListTags] },
  { version: 22, compatibleFrom: 15, up: eventCountShards },
  { version: 23, compatibleFrom: 15, up: () => [], moves: [alignItemTimes] },
  { version: 24, compatibleFrom: 15, up: storedBytes, moves: [countBytes] },
  { version: 25, compatibleFrom: 15, up: itemTerms, moves: [beginTermBuilds] },
  { version: 26, compatibleFrom: 15, up: arrayElements, moves: [fillElements] },
  { version: 27, compatibleFrom: 15, up: requestMonths },
  { version: 28, compatibleFrom: 15, up: flows },
  { version: 29, compatibleFrom: 15, up: flowUses, moves: [fillFlowUses] },
  { version: 30, compatibleFrom: 15, up: heldEvents },
  { version: 31, compatibleFrom: 15, up: () => [], moves: [writeFlowFilters] },
  { version: 32, compatibleFrom: 15, up: conditionalRules },
  { version: 33, compatibleFrom: 15, up: () => [], moves: [foldTerms] },
  { version: 34, compatibleFrom: 15, up: () => [], moves: [rereadDates] },
  { version: 35, compatibleFrom: 15, up: realtime },
  { version: 36, compatibleFrom: 15, up: runCauses },
  { version: 37, compatibleFrom: 15, up: requestHours },
]
