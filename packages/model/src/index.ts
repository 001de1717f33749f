export * from './access.ts'
export { type Bound, type BoundLeaf, boundOf } from './bounds.ts'
export * from './define-resource.ts'
export * from './errors.ts'
export * from './faults.ts'
export * from './fields/field.ts'
export {
  isStorable,
  type JsonSchema,
  lengthOf,
  type Operator,
  operators,
  operatorsOf,
  type Storage,
} from './fields/kind.ts'
export type { CountField, ToManyField, ToOneField } from './fields/link-kinds.ts'
export { maxInteger, momentSchema, type Step, toMoment, type Unit } from './fields/value-kinds.ts'
export { idSchema, linkSchemas, readSchema, writeSchema } from './fields/schema.ts'
export { foldCase, foldSearch, searchKey, searchNeedles, spellingsOf } from './fold.ts'
export * from './home.ts'
export * from './help.ts'
export * from './imports.ts'
export * from './labels.ts'
export * from './locales.ts'
export * from './price-base.ts'
export * from './price-check.ts'
export * from './price-day.ts'
export * from './price-outlook.ts'
export * from './moderation.ts'
export * from './record.ts'
export * from './rules.ts'
export * from './reports.ts'
export * from './room-events.ts'
export { buildRegistry, DeclarationFault } from './registry.ts'
export { type AuditAction, auditActions } from './resources/audit.ts'
export { type ResourceName, resources, type Resources } from './resources/index.ts'
export { slugOf, toSlug } from './slug.ts'
export { type SnippetPart, searchWords, snippetOf } from './snippet.ts'
export * from './rules.ts'
export * from './validate.ts'
export * from './wire.ts'
export { readWorkingHours, type WorkingHours, type WorkingTime, workingTime } from './working-time.ts'
export { zoneOffset } from './zone-offset.ts'
