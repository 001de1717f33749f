import { defineResource } from '../define-resource.ts'
import { readOnly } from '../fields/field.ts'
import { relation } from '../fields/link-kinds.ts'
import { text } from '../fields/text-kinds.ts'
import { decimalNumber, integer, structure, translated } from '../fields/value-kinds.ts'

/** The record of an uploaded picture; its bytes lie in the file store (contract §10). */
export const uploads = defineResource({
  name: 'uploads',
  wire: 'uploads',
  title: 'name',
  fields: {
    name: text({ required: true, message: 'validation.name' }),
    alternativeText: text(),
    caption: text(),
    alt: translated(),
    captions: translated(),
    folder: text(),
    focal: structure(),
    width: integer({ readOnly: true }),
    height: integer({ readOnly: true }),
    formats: structure({ readOnly: true }),
    hash: text({ readOnly: true, unique: true }),
    ext: text({ readOnly: true }),
    mime: text({ readOnly: true }),
    size: decimalNumber({ digits: [12, 2], readOnly: true }),
    url: text({ readOnly: true, unique: true }),
    previewUrl: text({ readOnly: true }),
    provider: text({ readOnly: true, default: 'local' }),
    provider_metadata: structure({ readOnly: true }),
    /** Who uploaded it: for the quota, and for the right to one's own pictures (contract §14). */
    owner: readOnly(relation('users')),
  },
  // Records come and go with their files, so the generic routes only read them.
  access: { read: 'authenticated' },
})
