import { defineResource } from '../../declaration/define-resource.ts'
import { relation } from '../../fields/link-kinds.ts'
import { text } from '../../fields/text-kinds.ts'
import { choiceOf, integer, moment, jsonField } from '../../fields/value-kinds.ts'

/** One import from a sheet: read, previewed, stored, and reverted if necessary (market §5). */
export const insert_excel = defineResource({
  name: 'insert_excel',
  wire: 'insert_excel',
  title: 'file_name',
  fields: {
    /** Name of the imported rows' resource, one that `isImportable`. */
    kind: text({ required: true }),
    file_name: text({ readOnly: true }),
    // The imported sheet itself is stored outside the served files, under a random name.
    stored_file: text({ readOnly: true, private: true }),
    /** SHA-256 of the imported sheet, to announce a repeated import. */
    digest: text({ readOnly: true, private: true, maxLength: 64, exact: true }),
    state: choiceOf(['parsing', 'preview', 'committing', 'done', 'failed', 'reverted'], {
      readOnly: true,
      default: 'parsing',
      transitions: [
        { from: 'parsing', to: 'preview', by: ['server'] },
        { from: 'parsing', to: 'failed', by: ['server'] },
        { from: 'preview', to: 'parsing', by: ['server'] },
        { from: 'preview', to: 'committing', by: ['server'] },
        { from: 'committing', to: 'preview', by: ['server'] },
        { from: 'committing', to: 'done', by: ['server'] },
        { from: 'committing', to: 'failed', by: ['server'] },
        { from: 'done', to: 'reverted', by: ['server'] },
      ],
    }),
    // `api/routes/imports/record.ts` declares the structures of progress and mapping.
    progress: jsonField({ readOnly: true }),
    reading: jsonField({ readOnly: true }),
    mapping: jsonField({ readOnly: true }),
    summary: jsonField({ readOnly: true }),
    same_as: jsonField({ readOnly: true }),
    failure: jsonField({ readOnly: true }),
    /** Next step of the background job of the import. */
    plan: jsonField({ readOnly: true, private: true }),
    total: integer({ readOnly: true }),
    created_count: integer({ readOnly: true }),
    updated_count: integer({ readOnly: true }),
    skipped_count: integer({ readOnly: true }),
    failed_count: integer({ readOnly: true }),
    /** Faults of the import by code, with the number of rows. */
    errors: jsonField({ readOnly: true }),
    committed_at: moment({ readOnly: true }),
    reverted_at: moment({ readOnly: true }),
    author: relation('users', { readOnly: true, setToCaller: 'always' }),
  },
  list: {
    columns: ['file_name', 'kind', 'state', 'total', 'failed_count', 'author', 'createdAt'],
    search: ['file_name'],
    segments: 'state',
    filters: ['state', 'author'],
    sort: 'createdAt:desc',
  },
  form: { sections: [{ name: 'main', fields: ['kind'] }] },
  access: {
    // A sheet of people may contain data that only its author may see.
    read: { admin: { rows: { $or: [{ kind: { $ne: 'users' } }, { author: '$caller.id' }] } }, owner: true },
    create: 'admin',
    // Corrections and commits have their own routes; the generic routes change nothing.
  },
})
