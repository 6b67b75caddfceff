import { readFileSync } from 'node:fs'
import test from 'ava'
import type { FieldError, ServiceErrorName } from '#client/src/error.ts'
import type * as F from '#client/src/types/flow-resources.ts'
import type * as R from '#client/src/types/resources.ts'
import type * as S from '#client/src/types/sync-resources.ts'
import type * as U from '#client/src/types/user-resources.ts'
import { noEffectYet, withoutEffect } from '#shared/domain/without-effect.ts'
import type { ErrorName as ServerErrorName } from '#shared/errors.ts'
import type { components, operations } from '../../../fixtures/openapi.d.ts'
import openapi from '../../../fixtures/openapi.json' with { type: 'json' }

/** The API's description, as types that `openapi-typescript` generated. */
type Schemas = components['schemas']
type Body<Name extends keyof operations> = operations[Name] extends {
  requestBody?: { content: { 'application/json': infer Json } }
}
  ? Json
  : never

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never
type Within<A, B> = [A] extends [B] ? true : never

/** For each type of an answer, whether it equals the type in the description; the compiler checks it. */
const answers: {
  List: Same<R.List, Schemas['List']>
  Deletion: Same<R.Deletion, Schemas['Deletion']>
  WrittenList: Same<R.WrittenList, Schemas['WrittenList']>
  Index: Same<R.Index, Schemas['Index']>
  WrittenIndex: Same<R.WrittenIndex, Schemas['WrittenIndex']>
  IndexTrial: Same<R.IndexTrial, Schemas['IndexTrial']>
  Item: Same<Omit<R.Item<unknown>, 'data'>, Omit<Schemas['Item'], 'data'>>
  ItemBatchResult: Within<R.BatchResult<unknown>, Schemas['ItemBatchResult']>
  SearchResult: Within<R.SearchResultId | R.SearchResultItem<unknown>, Schemas['SearchResult']>
  SearchResultId: Same<R.SearchResultId, Schemas['SearchResultId']>
  SearchResultItem: Within<R.SearchResultItem<unknown>, Schemas['SearchResultItem']>
  Event: Same<R.Event, Schemas['Event']>
  SchemaSync: Same<S.SyncReport, Schemas['SchemaSync']>
  SchemaSyncChange: Same<S.SyncChange, Schemas['SchemaSyncChange']>
  SchemaSyncExport: Within<S.SyncExport, Schemas['SchemaSyncExport']>
  SchemaSyncMove: Same<S.MoveReport, Schemas['SchemaSyncMove']>
  SchemaSyncMoveChange: Same<S.MoveReport['changes'][number], Schemas['SchemaSyncMoveChange']>
  OwnIdentity: Same<R.OwnIdentity, Schemas['OwnIdentity']>
  OtherIdentity: Same<R.OtherIdentity, Schemas['OtherIdentity']>
  Identity: Same<R.Identity, Schemas['Identity']>
  IdentityLogin: Same<R.IdentityLogin, Schemas['IdentityLogin']>
  IdentitySession: Same<R.IdentitySession, Schemas['IdentitySession']>
  PasswordReset: Same<R.PasswordReset, Schemas['PasswordReset']>
  EmailVerification: Same<R.EmailVerification, Schemas['EmailVerification']>
  IdentityGroup: Same<U.IdentityGroup, Schemas['IdentityGroup']>
  FlowDefinition: Same<F.FlowDefinition, Schemas['FlowDefinition']>
  FlowDefinitionRow: Same<F.FlowDefinitionRow, Schemas['FlowDefinitionRow']>
  WrittenFlow: Same<F.WrittenFlow, Schemas['WrittenFlow']>
  FlowVersion: Same<F.FlowVersion, Schemas['FlowVersion']>
  FlowVersions: Same<F.FlowVersions, Schemas['FlowVersions']>
  FlowDiagnostic: Same<F.FlowDiagnostic, Schemas['FlowDiagnostic']>
  FlowTestResult: Within<F.FlowTestResult, Schemas['FlowTestResult']>
  FlowCheck: Within<F.FlowCheck, Schemas['FlowCheck']>
  FlowRun: Same<F.FlowRun, Schemas['FlowRun']>
  FlowRunWithSteps: Same<F.FlowRunWithSteps, Schemas['FlowRunWithSteps']>
  Webhook: Same<U.Webhook, Schemas['Webhook']>
  WrittenWebhook: Same<U.WrittenWebhook, Schemas['WrittenWebhook']>
  WebhookWithSecret: Same<U.WebhookWithSecret, Schemas['WebhookWithSecret']>
  Delivery: Same<U.Delivery, Schemas['Delivery']>
  DeliveryWithPayload: Same<U.DeliveryWithPayload, Schemas['DeliveryWithPayload']>
  Redelivered: Same<U.Redelivered, Schemas['Redelivered']>
  CreatedStats: Same<R.CreatedStats, Schemas['CreatedStats']>
  EventStats: Same<R.EventStats, Schemas['EventStats']>
  ListStats: Same<R.ListStats, Schemas['ListStats']>
  Stats: Same<R.Stats, Schemas['Stats']>
  AccountStats: Same<U.AccountStats, Schemas['AccountStats']>
  WebhookStats: Same<U.WebhookStats, Schemas['WebhookStats']>
  SignedDeliveries: Same<U.SignedDeliveries, Schemas['SignedDeliveries']>
  Verification: Same<U.Verification, Schemas['Verification']>
  ActingApiToken: Same<R.ActingApiToken, Schemas['ActingApiToken']>
  ApiToken: Same<U.ApiToken, Schemas['ApiToken']>
  ApiTokenWithValue: Same<U.ApiTokenWithValue, Schemas['ApiTokenWithValue']>
  VisibleCount: Same<U.VisibleCount, Schemas['VisibleCount']>
  Plan: Same<R.Plan, Schemas['Plan']>
  Usage: Same<R.Usage, Schemas['Usage']>
  OwnApiToken: Same<R.OwnApiToken, Schemas['OwnApiToken']>
  User: Same<U.User, Schemas['User']>
  Account: Same<U.Account, Schemas['Account']>
  Nobody: Same<U.Nobody, Schemas['Nobody']>
  SignedIn: Same<U.SignedIn, Schemas['SignedIn']>
  Preferences: Same<U.Preferences, Schemas['Preferences']>
  UserLogin: Same<U.UserLogin, Schemas['UserLogin']>
  FieldError: Same<FieldError, Schemas['FieldError']>
  UserSession: Same<U.UserSession, Schemas['UserSession']>
  Setup: Same<U.Setup, Schemas['Setup']>
} = {
  List: true,
  Index: true,
  Deletion: true,
  WrittenList: true,
  WrittenIndex: true,
  IndexTrial: true,
  Item: true,
  ItemBatchResult: true,
  SearchResult: true,
  SearchResultId: true,
  SearchResultItem: true,
  Event: true,
  SchemaSyncExport: true,
  SchemaSyncMove: true,
  SchemaSyncMoveChange: true,
  SchemaSync: true,
  SchemaSyncChange: true,
  OwnIdentity: true,
  OtherIdentity: true,
  Identity: true,
  IdentityLogin: true,
  IdentitySession: true,
  PasswordReset: true,
  EmailVerification: true,
  IdentityGroup: true,
  FlowDefinition: true,
  FlowDefinitionRow: true,
  WrittenFlow: true,
  FlowVersion: true,
  FlowVersions: true,
  FlowDiagnostic: true,
  FlowTestResult: true,
  FlowCheck: true,
  FlowRun: true,
  FlowRunWithSteps: true,
  Webhook: true,
  WrittenWebhook: true,
  WebhookWithSecret: true,
  Delivery: true,
  DeliveryWithPayload: true,
  Redelivered: true,
  CreatedStats: true,
  EventStats: true,
  ListStats: true,
  Stats: true,
  AccountStats: true,
  WebhookStats: true,
  SignedDeliveries: true,
  Verification: true,
  ActingApiToken: true,
  ApiToken: true,
  ApiTokenWithValue: true,
  VisibleCount: true,
  Plan: true,
  Usage: true,
  OwnApiToken: true,
  User: true,
  Account: true,
  Nobody: true,
  SignedIn: true,
  Preferences: true,
  UserLogin: true,
  UserSession: true,
  Setup: true,
  FieldError: true,
}

/** For each type of a body, whether the description accepts it. */
const bodies: {
  createItem: Same<R.ItemFields<unknown>, Body<'createItem'>>
  updateItem: Same<R.ItemFields<unknown> & { locked?: boolean }, Body<'updateItem'>>
  runItemBatch: Same<R.BatchOperation<unknown>, Body<'runItemBatch'>['operations'][number]>
  patchItemData: Within<R.PatchOperation, Body<'patchItemData'>[number]>
  updateList: Same<R.ListFields, Body<'updateList'>>
  updateIndex: Same<R.IndexFields, Body<'updateIndex'>>
  syncSchema: Within<S.SyncDocument, Body<'syncSchema'>>
  registerIdentity: Same<R.Registration, Body<'registerIdentity'>>
  loginIdentity: Within<R.IdentityName & { password: string }, Body<'loginIdentity'>>
  requestPasswordReset: Within<R.OneTimeTokenRequest, Body<'requestPasswordReset'>>
  updateIdentity: Same<R.IdentityFields, Body<'updateIdentity'>>
  createWebhook: Same<U.WebhookFields, Body<'createWebhook'>>
  createToken: Same<U.ApiTokenFields, Body<'createToken'>>
  updateIdentityGroup: Same<U.IdentityGroupSettings, Body<'updateIdentityGroup'>>
} = {
  createItem: true,
  updateItem: true,
  runItemBatch: true,
  patchItemData: true,
  updateList: true,
  updateIndex: true,
  syncSchema: true,
  registerIdentity: true,
  loginIdentity: true,
  requestPasswordReset: true,
  updateIdentity: true,
  createWebhook: true,
  createToken: true,
  updateIdentityGroup: true,
}

/** The client's error names include every error name of the service. */
const names: Within<ServerErrorName, ServiceErrorName> = true

/** Parts of other schemas, schemas that a method converts, and schemas that no method returns. */
const elsewhere = [
  'Error',
  'ItemBatch',
  'ItemData',
  'JsonPatch',
  'SyncDocument',
  'BlockedSchemaSync',
  'BlockedSchemaSyncMove',
  'Readiness',
]

test('the client has a type for each response that the API describes, and it is the same', (t) => {
  const described = Object.keys(openapi.components.schemas).filter((name) => !name.endsWith('Page'))
  t.deepEqual(Object.keys(answers).sort(), described.filter((name) => !elsewhere.includes(name)).sort())
})

test('bodies have the types that the API describes, and errors its names', (t) => {
  t.true(names && Object.values(bodies).every((is) => is))
})

test('the types say for everything without effect, and for nothing else, that it has no effect yet', (t) => {
  const source = readFileSync(new URL('../../../../client/src/types/resources.ts', import.meta.url), 'utf8')
  const { list, index, plan } = withoutEffect
  const properties = source.split(`/** ${noEffectYet} */\n`).slice(1)
  const marked = properties.map((text) => /^\s*(\w+)/.exec(text)?.[1] ?? '')
  t.deepEqual(marked.sort(), [...list, ...index, ...plan].sort())
})
