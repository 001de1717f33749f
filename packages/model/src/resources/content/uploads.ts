import { defineResource } from '../../declaration/define-resource.ts'
import { readOnly } from '../../fields/field.ts'
import { relation } from '../../fields/link-kinds.ts'
import { text } from '../../fields/text-kinds.ts'
import { decimalNumber, integer, jsonField, translated, yesNoField } from '../../fields/value-kinds.ts'

/** The record of an uploaded file; its bytes are in the file store (contract §10). */
export const uploads = defineResource({
  name: 'uploads',
  wire: 'uploads',
  title: 'name',
  filesPath: '/uploads/',
  fields: {
    name: text({ required: true, message: 'validation.name' }),
    alternativeText: text(),
    caption: text(),
    alt: translated(),
    captions: translated(),
    folder: text(),
    /** The focal point of thumbnails: shares of width and height, 0 to 1; Strapi has no such field. */
    focal: jsonField({ keys: ['x', 'y'] }),
    width: integer({ readOnly: true }),
    height: integer({ readOnly: true }),
    formats: jsonField({ readOnly: true }),
    hash: text({ readOnly: true, unique: true }),
    ext: text({ readOnly: true }),
    mime: text({ readOnly: true }),
    size: decimalNumber({ digits: [12, 2], readOnly: true }),
    url: text({ readOnly: true, unique: true }),
    previewUrl: text({ readOnly: true }),
    provider: text({ readOnly: true, default: 'local' }),
    provider_metadata: jsonField({ readOnly: true }),
    /**
     * Hash of the uploaded bytes, to detect a second copy before it is sent; older files have none.
     */
    sha256: text({ readOnly: true, exact: true }),
    /**
     * The difference hash of the stored picture in 16 hexadecimal digits; similar pictures differ in few bits.
     */
    likeness: text({ readOnly: true, private: true, maxLength: 16, unsearched: true }),
    /**
     * The file that a cut was cropped from, and how, so that the crop can be repeated (requirements §2,
     * ours).
     */
    original: readOnly(relation('uploads')),
    crop: jsonField({ maxBytes: 2_048, readOnly: true }),
    /** Duration, size, codecs and a warning of a video; null for other files (contract §10, ours). */
    video: jsonField({ readOnly: true }),
    /** User who uploaded the file, for quota and access to own files (contract §14). */
    owner: readOnly(relation('users', { readableBy: 'admin' })),
    /**
     * Whether the bytes of the file are served by signed addresses only, because a field with limited readers
     * holds it or once held it. A private file stays private (contract §10, ours).
     */
    private: yesNoField({ readOnly: true, default: false }),
  },
  // A picture as the reader of a record sees it; its owner and origin are hidden.
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
  // Generic routes only read, delete and restore files. Users below staff see their own files (contract §10).
  access: {
    read: { authenticated: { rows: { $or: [{ owner: '$caller.id' }, { $shown: true }] } }, admin: true },
    remove: { authenticated: { rows: { owner: { id: '$caller.id' } } }, admin: true },
  },
})
