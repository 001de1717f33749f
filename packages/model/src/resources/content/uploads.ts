import { defineResource } from '../../declaration/define-resource.ts'
import { readOnly } from '../../fields/field.ts'
import { relation } from '../../fields/link-kinds.ts'
import { text } from '../../fields/text-kinds.ts'
import { decimalNumber, integer, structure, translated, yesNo } from '../../fields/value-kinds.ts'

/** The record of an uploaded picture; its bytes lie in the file store (contract §10). */
export const uploads = defineResource({
  name: 'uploads',
  wire: 'uploads',
  title: 'name',
  files: '/uploads/',
  fields: {
    name: text({ required: true, message: 'validation.name' }),
    alternativeText: text(),
    caption: text(),
    alt: translated(),
    captions: translated(),
    folder: text(),
    /** The point that a thumbnail must keep: shares of width and height, 0 to 1 (ours). */
    focal: structure({ keys: ['x', 'y'] }),
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
    /** Of the bytes as they came in, so that a second copy is seen before it is sent; files from before have none (ours). */
    sha256: text({ readOnly: true, exact: true }),
    /** The difference hash of the stored picture in 16 hexadecimal digits; pictures that look alike differ in few bits (ours). */
    likeness: text({ readOnly: true, private: true, maxLength: 16, unsearched: true }),
    /** The file this one was cut from, and how, so that the cut can be made again (requirements §2, ours). */
    original: readOnly(relation('uploads')),
    crop: structure({ maxBytes: 2_048, readOnly: true }),
    /** Who uploaded it: for the quota, and for the right to one's own pictures (contract §14). */
    owner: readOnly(relation('users', { readableBy: 'admin' })),
    /**
     * Its bytes are served through signed addresses only: a field with limited readers holds it, or held it once.
     * A file that was private stays private (contract §10, ours).
     */
    private: yesNo({ readOnly: true, default: false }),
  },
  // A picture as the reader of a record sees it; whose it is and where it comes from is not part of it.
  card: [
    'name',
    'alternativeText',
    'caption',
    'alt',
    'captions',
    'focal',
    'width',
    'height',
    'formats',
    'hash',
    'ext',
    'mime',
    'size',
    'url',
    'previewUrl',
    'provider',
    'provider_metadata',
    'private',
    'createdAt',
    'updatedAt',
  ],
  // Records are made with their files, so the generic routes only read, delete and restore them. Below staff, a reader
  // has their own files and those that a record shows which they may read (contract §10).
  access: {
    read: { authenticated: { rows: { $or: [{ owner: '$caller.id' }, { $shown: true }] } }, admin: true },
    remove: { authenticated: { rows: { owner: { id: '$caller.id' } } }, admin: true },
  },
})
