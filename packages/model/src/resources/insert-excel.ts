import { defineResource } from '../define-resource.ts'
import { relation } from '../fields/link-kinds.ts'
import { text } from '../fields/text-kinds.ts'
import { choiceOf, integer, structure } from '../fields/value-kinds.ts'

/** One import from a sheet: read, previewed, stored, and taken back if need be (product/market.md §5). */
export const insert_excel = defineResource({
  name: 'insert_excel',
  wire: 'insert_excel',
  title: 'file_name',
  fields: {
    kind: choiceOf(['products', 'pricelists', 'regions', 'districts', 'users', 'companies', 'tags', 'faqs'], {
      required: true,
    }),
    file_name: text({ readOnly: true }),
    // The sheet itself is kept outside the served files, under a random name.
    stored_file: text({ readOnly: true, private: true }),
    state: choiceOf(['parsing', 'preview', 'committing', 'done', 'failed', 'reverted'], {
      readOnly: true,
      default: 'parsing',
      steps: [
        { from: 'parsing', to: 'preview', by: ['server'] },
        { from: 'parsing', to: 'failed', by: ['server'] },
        { from: 'preview', to: 'committing', by: ['server'] },
        { from: 'committing', to: 'done', by: ['server'] },
        { from: 'committing', to: 'failed', by: ['server'] },
        { from: 'done', to: 'reverted', by: ['server'] },
      ],
    }),
    mapping: structure(),
    total: integer({ readOnly: true }),
    created_count: integer({ readOnly: true }),
    updated_count: integer({ readOnly: true }),
    skipped_count: integer({ readOnly: true }),
    failed_count: integer({ readOnly: true }),
    errors: structure({ readOnly: true }),
    author: relation('users', { readOnly: true, caller: 'always' }),
  },
  list: {
    columns: ['file_name', 'kind', 'state', 'total', 'failed_count', 'author', 'createdAt'],
    search: ['file_name'],
    segments: 'state',
    filters: ['kind', 'state'],
    sort: 'createdAt:desc',
  },
  form: { sections: [{ name: 'main', fields: ['kind'] }] },
  access: { read: 'admin', create: 'admin' },
})
