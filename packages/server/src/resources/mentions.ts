/**
 * Mentions: files that a record uses because a text or a structure contains their address. The write itself
 * counts them like links.
 */
import { canNameFiles, type Field, type Resource, storedFilePattern } from '@dala/model'
import { sql, type Template } from '../db/sql.ts'
import { documentTable } from '../db/schema.ts'
import { fileTable } from './attributes.ts'
import type { Revision, WriteTrace } from './history/history.ts'

type Sql = Template<unknown>

/** Name of the table of file mentions, as change notifications use it. */
export const mentionTable = 'upload_mentions'

/** Name of the table of the organisation's settings, as change notifications use it. */
export const organisationTable = 'organisation_settings'

/** SQL of the files that are pictures of the organisation: `file`, and `field`, the setting. */
export const pictureSettingsSql: Sql = sql`select (value ->> 'id')::int as file, key::text as field from ${sql.table(organisationTable)}
  where key = 'logo' and jsonb_typeof(value -> 'id') = 'number'`

/**
 * A stored name anywhere in a text, of the file itself or of a smaller copy
 * (`features/uploads/stored-names.ts`).
 */
const storedName = new RegExp(`(?<![0-9a-f])${storedFilePattern}(?![0-9a-z])`, 'g')

/**
 * Finds the files whose addresses a value contains.
 *
 * @param value - A text, or any JSON value that contains texts.
 * @returns The hashes of the names, each once.
 */
function filesNamedIn(value: unknown): string[] {
  if (value === null || value === undefined) return []
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return [...new Set([...text.matchAll(storedName)].flatMap(([, hash]) => hash ?? []))]
}

/**
 * Lists the fields of a resource that can name files, in the table of its language entries or of its
 * documents.
 *
 * @param resource - The declared resource.
 * @param localized - True for fields with a value in each language.
 * @returns Names of fields.
 */
export function mentioningFields(resource: Resource, localized: boolean): string[] {
  return Object.entries<Field>(resource.fields)
    .filter(([, field]) => canNameFiles(field) && (field.localized === true) === localized)
    .map(([name]) => name)
}

interface NamedFiles {
  hash: string
  field: string
}

/** Statements that update the file mentions of some fields of one entry to their new values. */
function partsOf(
  resource: Resource,
  { document, entry }: { document: Sql; entry: Sql },
  { fields, namedMentions }: { fields: readonly string[]; namedMentions: readonly NamedFiles[] },
): Sql[] {
  const name = documentTable(resource)
  const [hashes, fieldNames] = [namedMentions.map(({ hash }) => hash), namedMentions.map(({ field }) => field)]
  // Rows of files are locked by key, so that the removal of unused files and this write wait for each other.
  const target = sql`target as materialized (
      select named.field, coalesce(u.id, former.file_id) as file from unnest(${hashes}::text[], ${fieldNames}::text[]) as named(hash, field)
        left join ${sql.table(fileTable)} u on u.hash = named.hash left join upload_addresses former on former.hash = named.hash)`
  const parts: Sql[] = []
  if (fields.length > 0) {
    const nameConditionSql =
      namedMentions.length > 0
        ? sql` and not exists (select 1 from target where target.file = file_id and target.field = upload_mentions.field)`
        : sql``
    const mentionsOfEntry = sql`resource = ${name}::text and entry_id = ${entry} and field = any(${[...fields]}::text[])`
    parts.push(
      namedMentions.length > 0
        ? sql`with ${target} delete from upload_mentions where ${mentionsOfEntry}${nameConditionSql}`
        : sql`delete from upload_mentions where ${mentionsOfEntry}`,
    )
  }
  if (namedMentions.length > 0) {
    const otherFilesSql = name === fileTable ? sql` and target.file <> ${entry}` : sql``
    parts.push(sql`with ${target},
      locked as materialized (select u.id from ${sql.table(fileTable)} u where u.id in (select file from target) order by u.id for key share)
      insert into upload_mentions (file_id, resource, document_id, entry_id, field)
        select distinct coalesce(locked.id, target.file), ${name}::text, ${document}, ${entry}, target.field
          from target left join locked on locked.id = target.file where target.file is not null${otherFilesSql}
        on conflict do nothing`)
  }
  return parts
}

/**
 * Checks whether a change affects the files that a record names.
 *
 * @param changes - Values before and after, by field.
 * @returns True when a former or a new value names one.
 */
export const movesMentions = (changes: Revision['changes']): boolean =>
  Object.values(changes).some(({ before, after }) => filesNamedIn(before).length + filesNamedIn(after).length > 0)

/**
 * Makes the parts of a write's statement that count the files its values name.
 *
 * @param trace - The changes of the write; each revision has the values before and after.
 * @param document - SQL of the document's key.
 * @param entry - SQL of the key of the language entry, or of the document where there are no languages.
 * @returns Statements to run with the write; none when neither old nor new values name a file.
 */
export function mentionsSql({ resource, revisions }: WriteTrace, document: Sql, entry: Sql): Sql[] {
  return revisions.flatMap(({ locale, changes }) => {
    const fields = mentioningFields(resource, locale !== undefined)
    const changedMentions = fields.flatMap((field) => {
      const change = changes[field]
      return change ? [{ field, before: filesNamedIn(change.before), after: filesNamedIn(change.after) }] : []
    })
    return partsOf(
      resource,
      { document, entry: locale === undefined ? document : entry },
      {
        fields: changedMentions.filter(({ before }) => before.length > 0).map(({ field }) => field),
        namedMentions: changedMentions.flatMap(({ field, after }) => after.map((hash) => ({ hash, field }))),
      },
    )
  })
}

/**
 * Makes the statement that deletes the mentions of deleted records.
 *
 * @param resource - The resource of the records.
 * @param leavingTexts - `documents`: SQL of the keys of whole documents; `entries`: keys of language entries that
 *   are deleted alone.
 * @returns The statement; undefined when no field of the resource can name a file.
 */
export function forgetMentionsSql(
  resource: Resource,
  leavingTexts: { documents: Sql } | { entries: readonly number[] },
): Sql | undefined {
  const localizedFields = mentioningFields(resource, true)
  if (localizedFields.length + mentioningFields(resource, false).length === 0) return undefined
  const deleteOfResource = sql`delete from upload_mentions where resource = ${documentTable(resource)}::text`
  return 'documents' in leavingTexts
    ? sql`${deleteOfResource} and document_id in (${leavingTexts.documents})`
    : sql`${deleteOfResource} and entry_id = any(${[...leavingTexts.entries]}::int[]) and field = any(${localizedFields}::text[])`
}

/**
 * Makes the condition that a record can be restored from the trash: a file needs its bytes.
 *
 * @param resource - The resource of the record.
 * @param document - SQL of the key of its document.
 * @returns SQL that is true for every record except a file whose bytes are deleted.
 */
export const canReturnSql = (resource: Resource, document: Sql): Sql =>
  documentTable(resource) === fileTable
    ? sql`exists (select 1 from upload_addresses stored where stored.file_id = ${document})`
    : sql`true`
