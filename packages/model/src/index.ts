export * from './access/access.ts'
export { type AccessBound, type BoundCondition, describeBound } from './access/bounds.ts'
export * from './declaration/define-resource.ts'
export * from './desk/routing.ts'
export * from './errors/errors.ts'
export * from './errors/faults.ts'
export * from './fields/field.ts'
export {
  isStorable,
  type JsonSchema,
  countCharacters,
  type Operator,
  operators,
  operatorsOf,
  type Storage,
} from './fields/kind.ts'
export type { CountField, ToManyField, ToOneField } from './fields/link-kinds.ts'
export { maxInteger, momentSchema, type Transition, toMoment, type Unit } from './fields/value-kinds.ts'
export { idSchema, linkSchemas, readSchema, writeSchema } from './fields/schema.ts'
export { editDistance } from './text/edit-distance.ts'
export { convertMarkup, inScript, toCyrillic, toLatin } from './text/script/convert.ts'
export { messageInScript } from './text/script/message-in-script.ts'
export * from './text/script/scripts.ts'
export { fieldInScript, hasScripts } from './text/record-scripts.ts'
export { type OtherScript, otherScriptOf, scriptLocaleOf, scriptOfText } from './text/text-script.ts'
export { foldCase, searchKeyOf, searchKey, searchNeedles, spellingsOf } from './text/fold.ts'
export { segmentKey, segmentsOf, shareOf, stemsOf } from './text/segments.ts'
export { memoryAccess, memoryFields, memoryLimits } from './api/memory.ts'
export * from './api/chat.ts'
export type {
  BoardRow,
  Conversion,
  ConversionAnswer,
  DeskBoard,
  DeskFigures,
  MessageHit,
  NewRating,
  ReassignedRoom,
  Reassignment,
  RoomHistoryLine,
  RoomRating,
} from './api/routes/chat/desk.ts'
export type { MessageEdit, NewMessage, WantedAttachment } from './api/routes/chat/messages.ts'
export type {
  ChatAttachment,
  ChatMessage,
  ChatPerson,
  DeletedMessage,
  QuotedMessage,
  RoomChanges,
  RoomRow,
  StoredRoomChange,
} from './api/routes/chat/parts.ts'
export type {
  NewRoom,
  OwnRooms,
  RoomAssignment,
  RoomFilters,
  AssignableAgent,
  NoReply,
  StateStep,
} from './api/routes/chat/rooms.ts'
export type {
  ConsultationAssignment,
  ConsultationCounts,
  ConsultationFinish,
  ConsultationNoReply,
  ConsultationReopen,
  ConsultationStepLine,
  PublishedAnswer,
  SimilarAnswer,
} from './api/routes/consultations.ts'
export type { RoutingDecision, RoutingTrial } from './api/routes/routing.ts'
export type { ImportedMemory, MemorySuggestion, WorkOutcome, WorkRecord } from './api/routes/memory.ts'
export * from './api/home.ts'
export type { HomeAnswer, HomeChange, HomeDay, HomeFigure, HomeGroup, HomeRow, HomeWeek } from './api/routes/home.ts'
export type { DayProgress, PriceToday } from './api/routes/price-dates.ts'
export type {
  ChangedDistrict,
  ChangedProduct,
  PriceChange,
  PriceChanges,
  PriceChangesMeta,
  PriceLine,
  PricePoint,
  PriceSeason,
  PriceSeries,
} from './api/routes/price-outlook.ts'
export type {
  MapTile,
  ReportAnswer,
  RecordParameters,
  RecordRow,
  ReportParameters,
  ReportBreakdown,
  ReportDefinition,
  ReportFigures,
  ReportMeta,
  ReportMatrix,
  ReportMetric,
  ReportPoint,
  ReportRow,
  ReportShare,
  ReportStack,
} from './api/routes/statistics.ts'
export type { Backup, BackupSchedule } from './api/routes/backups.ts'
export type { SystemChanges, SystemDiagnosis, SystemState, SystemWarning } from './api/routes/system.ts'
export type {
  DecidedPosts,
  EditChange,
  PostClaim,
  PostDecision,
  PostReport,
  PostReview,
  PostTwin,
  PriceScale,
  QueueState,
  QueueTarget,
} from './api/routes/trade.ts'
export type {
  AuthSettings,
  Credentials,
  EmailStatus,
  NewEmail,
  NewPassword,
  PasswordReset,
  TwoStepProof,
  TwoStepSetup,
  TwoStepStatus,
} from './api/routes/auth.ts'
export * from './api/bulk.ts'
export type { BulkAction, BulkJob, BulkOrder, BulkRow, BulkSelection, StoredBulkAction } from './api/routes/bulk.ts'
export type {
  DeletedRecord,
  DroppedLink,
  RevertBody,
  Revision,
  TranslationProgress,
  Use,
  ValueGroup,
} from './api/routes/history.ts'
export type { LineChange } from './api/routes/operations.ts'
export type { PersonCard, SessionView } from './api/routes/parts.ts'
export * from './appearance.ts'
export * from './api/organisation.ts'
export type { OrganisationChange, OrganisationState } from './api/routes/organisation.ts'
export * from './api/people.ts'
export * from './api/uploads.ts'
export type { FileUsage, FileUse, FolderCount, RefusedFile } from './api/routes/library.ts'
export type { FileAddresses, FileRecord, VideoDetails } from './api/routes/uploads.ts'
export type { BlockRequest, Invitation, Workload, OpenWork } from './api/routes/people.ts'
export * from './labels/guide.ts'
export * from './labels/help.ts'
export * from './api/exports.ts'
export * from './api/imports.ts'
export * from './api/import-limits.ts'
export type { ImportPlace, ImportSummary } from './api/routes/imports/parts.ts'
export type {
  ImportAnswer,
  ImportAttributes,
  ImportColumn,
  ImportFailure,
  ImportLink,
  ImportMapping,
  ImportName,
  ImportProgress,
  ImportReading,
  ImportState,
  ImportTwin,
  ImportValue,
} from './api/routes/imports/record.ts'
export * from './api/list-query.ts'
export * from './api/search.ts'
export type {
  ImportCommit,
  ImportCorrection,
  ImportDistrict,
  ImportDistrictsAnswer,
  ImportIssue,
  ImportRow,
  ImportRowsAnswer,
  ImportSuggestion,
} from './api/routes/imports.ts'
export * from './labels/labels.ts'
export * from './learning/certificate-number.ts'
export * from './learning/longest-ascending.ts'
export * from './learning/progress.ts'
export { type SiteVideo, type Video, videoOf } from './learning/video-address.ts'
export * from './locales.ts'
export * from './prices/price-base.ts'
export * from './prices/price-check.ts'
export * from './prices/price-grid.ts'
export * from './prices/price-outlook.ts'
export * from './api/moderation.ts'
export * from './declaration/record.ts'
export * from './validation/rules.ts'
export * from './api/notices.ts'
export type { InboxNotice, NoticeChoices, SentChoices } from './api/routes/inbox.ts'
export * from './api/report-files.ts'
export * from './api/report-schedules.ts'
export { acceptEmail } from './fields/text-kinds.ts'
export * from './api/reports.ts'
export type { ReportFile } from './api/routes/report-files.ts'
export type { ReportSchedule, ReportSending } from './api/routes/report-schedules.ts'
export type { ReportShareRow } from './api/routes/report-shares.ts'
export type { SavedReport, StoredReportQuery } from './api/routes/saved-reports.ts'
export * from './api/room-events.ts'
export { buildRegistry, DeclarationFault } from './declaration/registry.ts'
export { type AuditAction, auditActions } from './resources/people/audit.ts'
export { type ResourceName, resources, type Resources } from './resources/index.ts'
export * from './text/figures.ts'
export * from './text/format.ts'
export { formatMessage } from './text/message.ts'
export { slugOf, toSlug } from './text/slug.ts'
export { type SnippetPart, searchWords, snippetOf } from './text/snippet.ts'
export * from './validation/rules.ts'
export * from './validation/validate.ts'
export * from './api/wire.ts'
export { isDay } from './time/day.ts'
export { type QuietHours, quietMinutesLeft } from './time/quiet-hours.ts'
export {
  readWorkingHours,
  type WorkingHours,
  type WorkingTime,
  workingTime,
  writeWorkingHours,
} from './time/working-time.ts'
export { zoneOffset } from './time/zone-offset.ts'
