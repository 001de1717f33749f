/** Reads the rows of the tables that reports count, table by table, by simple selects. */
import { reportedContent } from '@dala/model'
import type { Database } from '../../../packages/server/src/db/database.ts'

/** A row as its table stores it. */
export type RawRow = Readonly<Record<string, unknown>>
export type RawTables = Readonly<Record<string, readonly RawRow[]>>

const tables = [
  'consultations',
  'consultation_replies',
  'consultation_steps',
  'consultation_ratings',
  'chatrooms',
  'room_steps',
  'room_replies',
  'room_ratings',
  'room_changes',
  'desk_waits_ended',
  'consultation_publications',
  'room_drafts',
  'online_hours',
  'tradinposts',
  'tradinposts_texts',
  'post_decisions',
  'post_renewals',
  'moderationreasons',
  'pricedates',
  'pricedates_no_market',
  'pricelists',
  'products',
  'units',
  'revisions',
  'lessongroups',
  'lessongroups_texts',
  'published_courses_texts',
  'published_lessons',
  'published_lessons_texts',
  'published_lessongroups',
  'published_lessongroups_texts',
  'lesson_progress',
  'course_completions',
  'content_opens',
  'users',
  'user_days',
  'roles',
  'regions_texts',
  'districts_texts',
  'products_texts',
  'consultationcategories_texts',
  'productcategories_texts',
  'tradingpostcategories_texts',
  'coursecategories_texts',
  'coursetypes_texts',
  ...reportedContent.flatMap((name) => [name, `${name}_texts`]),
]

/** Reads all tables of the recount. */
export async function readTables(database: Database): Promise<RawTables> {
  const rowsByTable: Record<string, RawRow[]> = {}
  for (const table of tables) {
    const rows = await database.rows({ sql: `select to_jsonb(t)::text from ${table} as t`, parameters: [] })
    rowsByTable[table] = rows.map(([text]) => JSON.parse(String(text)) as RawRow)
  }
  return rowsByTable
}

/** Returns the time of a column, or undefined. */
export const timeOf = (row: RawRow | undefined, column: string): number | undefined => {
  const value = row?.[column]
  return typeof value === 'string' ? Date.parse(value) : undefined
}

/** Returns the number in a column, or null. */
export const numberOf = (row: RawRow | undefined, column: string): number | null => {
  const value = row?.[column]
  return value === null || value === undefined ? null : Number(value)
}

/** Returns the text in a column, or null. */
export const textOf = (row: RawRow | undefined, column: string): string | null => {
  const value = row?.[column]
  return typeof value === 'string' ? value : null
}
