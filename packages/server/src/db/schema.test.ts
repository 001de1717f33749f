import { foldCase, searchKeyOf, resources, searchKey } from '@dala/model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openTestDatabase } from '../testing/databases.ts'
import { tablesOf } from './schema.ts'
import { introspection, type IntrospectedRow, missingSql, toFoundSchema } from './schema-sql.ts'

const findIssues = async () => {
  const { database } = await openTestDatabase()
  const rows = await database.rows({ sql: introspection, parameters: [] })
  return rows.map(([kind, table, name, type, notNull]) => ({ kind, table, name, type, notNull }) as IntrospectedRow)
}

describe('the schema of the migrated database', () => {
  it('finds in the migrated database everything that the model declares', async () => {
    expect(missingSql(tablesOf(resources), toFoundSchema(await findIssues())).join('\n')).toBe('')
  })
  it('generates the SQL for everything that the database lacks', async () => {
    const rows = await findIssues()
    const schemaWithout = (isMissing: (row: IntrospectedRow) => boolean) =>
      missingSql(tablesOf(resources), toFoundSchema(rows.filter((row) => !isMissing(row)))).join('\n')
    expect(schemaWithout(({ kind, table, name }) => kind === 'column' && table === 'news' && name === 'views')).toBe(
      'alter table "news" add column "views" integer not null default 0;',
    )
    expect(schemaWithout(({ kind, name }) => kind === 'index' && name === 'regions_code_key')).toMatch(
      /^create unique index "regions_code_key"/,
    )
    expect(schemaWithout(({ kind, name }) => kind === 'constraint' && name === 'news_views_check')).toMatch(
      /^alter table "news" add constraint/,
    )
    expect(schemaWithout(({ table }) => table === 'units')).toMatch(/^create table "units"/)
    // A changed search text of a table recreates its column with the index.
    const schemaWithoutSource = schemaWithout(
      ({ kind, table, type }) => kind === 'source' && table === 'tags_texts' && type === 'slug',
    )
    const beginnings = [
      'alter table "tags_texts" drop column "search";',
      'alter table "tags_texts" add column "search" text generated always as (',
      'alter table "tags_texts" drop column "slug_sort";',
      'alter table "tags_texts" add column "slug_sort" text collate "C" generated always as (',
      'create index "tags_texts_search_idx" on "tags_texts" using gin (',
      'create index "tags_texts_locale_slug_sort_idx" on "tags_texts" (',
      'create index "tags_texts_slug_sort_idx" on "tags_texts" (',
    ]
    expect(schemaWithoutSource.split('\n').map((line, index) => line.slice(0, beginnings[index]?.length))).toEqual(
      beginnings,
    )
  })
})

describe('normalising in the database', () => {
  it('normalises texts in the database as the model does', async () => {
    const { database } = await openTestDatabase()
    const fixedRows = [
      'Oʻzbekiston',
      'Юрт яхши чўл ЩЁЦ ъь за\u0301мок \u001f ǴÚŃ',
      'ҚАРАҚАЛПАҚ',
      'QÍZÍLORDA',
      'Ёлка',
      'Nókis İI',
      "O'Z ‘’`ʻʼ´",
      '',
      '🌾 100%_\\',
    ]
    const drawnRows = fc.sample(
      fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 20 }),
        fc.string({ unit: fc.constantFrom(...fixedRows.join('')), maxLength: 20 }),
      ),
      { numRuns: 500, seed: 2026 },
    )
    const texts = [...fixedRows, ...drawnRows].filter((text) => !text.includes('\0') && text.isWellFormed())
    const rows = await database.rows({
      sql: 'select fold_case(t), fold_search(t), search_key(t) from unnest($1::text[]) with ordinality as given(t, place) order by place',
      parameters: [texts],
    })
    expect(rows).toEqual(texts.map((text) => [foldCase(text), searchKeyOf(text), searchKey(text)]))
  })
})
