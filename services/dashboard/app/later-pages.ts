import { ActivityPage } from '../pages/activity/activity-page.tsx'
import { DeliveriesPage } from '../pages/deliveries/deliveries-page.tsx'
import { EventsPage } from '../pages/events/events-page.tsx'
import { ExportPage } from '../pages/export/export-page.tsx'
import { FlowPage } from '../pages/flows/flow-page.tsx'
import { FlowsPage } from '../pages/flows/flows-page.tsx'
import { NewFlowPage } from '../pages/flows/new-flow-page.tsx'
import { GroupPage } from '../pages/identities/groups/group-page.tsx'
import { GroupsPage } from '../pages/identities/groups/groups-page.tsx'
import { IdentitiesPage } from '../pages/identities/identities-page.tsx'
import { IdentityPage } from '../pages/identities/identity-page.tsx'
import { ImportPage } from '../pages/import/import-page.tsx'
import { ItemPage } from '../pages/item/item-page.tsx'
import { NewItemPage } from '../pages/item/new-item-page.tsx'
import { IndexesPage } from '../pages/list-indexes/indexes-page.tsx'
import { SchemaPage as ListSchemaPage } from '../pages/list-schema/schema-page.tsx'
import { GeneralPage } from '../pages/list-settings/general-page.tsx'
import { NewListPage } from '../pages/new-list/new-list-page.tsx'
import { RunPage } from '../pages/runs/run-page.tsx'
import { RunsPage } from '../pages/runs/runs-page.tsx'
import { SchemaPage } from '../pages/schema/schema-page.tsx'
import { SettingsPage } from '../pages/settings/settings-page.tsx'
import { NewTokenPage } from '../pages/tokens/new-token-page.tsx'
import { TokenPage } from '../pages/tokens/token-page.tsx'
import { TokensPage } from '../pages/tokens/tokens-page.tsx'
import { NewWebhookPage } from '../pages/webhooks/new-webhook-page.tsx'
import { WebhookPage } from '../pages/webhooks/webhook-page.tsx'
import { WebhooksPage } from '../pages/webhooks/webhooks-page.tsx'

/**
 * The pages that are loaded when the first of them is opened. They are one script: with a script for each page, the shared code would be
 * split into about thirty more, which compress badly.
 */
export const laterPages = {
  ActivityPage,
  DeliveriesPage,
  EventsPage,
  ExportPage,
  FlowPage,
  FlowsPage,
  GeneralPage,
  GroupPage,
  GroupsPage,
  IdentitiesPage,
  IdentityPage,
  ImportPage,
  IndexesPage,
  ItemPage,
  ListSchemaPage,
  NewFlowPage,
  NewItemPage,
  NewListPage,
  NewTokenPage,
  NewWebhookPage,
  RunPage,
  RunsPage,
  SchemaPage,
  SettingsPage,
  TokenPage,
  TokensPage,
  WebhookPage,
  WebhooksPage,
}
