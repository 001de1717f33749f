import { defineResource } from '../../declaration/define-resource.ts'
import { localized, readOnly } from '../../fields/field.ts'
import { picture, pictures, relation } from '../../fields/link-kinds.ts'
import { longText, text } from '../../fields/text-kinds.ts'
import { choiceOf, decimalNumber, integer, moment, yesNoField } from '../../fields/value-kinds.ts'

/** Fields of a trading post that its author writes; the others belong to the moderators and to the server. */
const authorFields = [
  'title',
  'description',
  'tradingposttype',
  'tradingpostcategory',
  'product',
  'price',
  'negotiable',
  'currency',
  'amount',
  'unit',
  'delivery',
  'region',
  'district',
  'phone',
  'images',
  'mainPhoto',
  'company',
] as const

const ownPosts = { user: '$caller.id' } as const

/** A trading post: an offer or a request to buy. The name has the spelling of the spec (requirements §3). */
export const tradinposts = defineResource({
  name: 'tradinposts',
  wire: 'tradinposts',
  screens: [
    {
      path: 'trading-post',
      section: 'market',
      readPath: 'trading-post/seen',
      editPath: 'trading-post/update',
      overview: true,
      fullWindow: 'record',
    },
  ],
  title: 'title',
  review: {
    state: 'status',
    publicState: 'processed',
    reviewedFields: [
      'title',
      'description',
      'price',
      'currency',
      'unit',
      'phone',
      'tradingpostcategory',
      'tradingposttype',
      'images',
      'mainPhoto',
    ],
  },
  fields: {
    title: localized(text({ required: true, message: 'validation.title' })),
    description: localized(longText()),
    tradingposttype: relation('tradingposttypes', { required: true }),
    tradingpostcategory: relation('tradingpostcategories'),
    product: relation('products'),
    price: decimalNumber({ digits: [14, 2], min: 0, unit: 'money' }),
    negotiable: yesNoField({ default: false }),
    currency: text({ default: 'UZS' }),
    amount: decimalNumber({ digits: [14, 3], min: 0 }),
    unit: relation('units'),
    /**
     * Whether the goods of the trading post are delivered: true for delivery, false when the buyer collects
     * (requirements §9).
     */
    delivery: yesNoField({ default: false }),
    region: relation('regions', { message: 'validation.region' }),
    district: relation('districts', { message: 'validation.district' }),
    phone: text(),
    images: pictures({ maxItems: 10 }),
    mainPhoto: picture(),
    user: relation('users', { setToCaller: 'unlessStaff' }),
    company: relation('companies'),
    // Rules of the server: one appeal only, and the review of a renewed trading post that was edited (market
    // §7).
    status: choiceOf(['on_hold', 'processed', 'needs_changes', 'rejected', 'expired', 'archived'], {
      default: 'on_hold',
      transitions: [
        { from: 'on_hold', to: 'processed', by: ['admin'] },
        { from: 'on_hold', to: 'needs_changes', by: ['admin'], reason: true },
        { from: 'on_hold', to: 'rejected', by: ['admin'], reason: true },
        { from: 'needs_changes', to: 'on_hold', by: [{ ownerField: 'user' }] },
        { from: 'rejected', to: 'on_hold', by: [{ ownerField: 'user' }] },
        { from: 'processed', to: 'on_hold', by: ['admin'] },
        { from: 'processed', to: 'archived', by: [{ ownerField: 'user' }, 'admin'] },
        { from: 'processed', to: 'expired', by: ['server'] },
        { from: 'expired', to: 'processed', by: [{ ownerField: 'user' }, 'admin'] },
        { from: 'expired', to: 'on_hold', by: [{ ownerField: 'user' }] },
      ],
    }),
    reason: text(),
    public_note: longText(),
    /** Notes between moderators, which the author never sees. */
    staff_note: longText({ readableBy: 'admin', maxLength: 2000, unsearched: true }),
    /**
     * An edit of the trading post by its author beside the public text: it waits for a moderator, or was
     * returned.
     */
    edit_state: readOnly(choiceOf(['waiting', 'returned'], { unsearched: true })),
    edit_at: readOnly(moment()),
    /** Start of the wait for a moderator, for the trading post itself or for an edit of it. */
    waiting_since: readOnly(moment()),
    /** Number of users' open reports about the trading post. */
    reports_open: integer({ default: 0, min: 0, readOnly: true, readableBy: 'admin' }),
    expires_at: readOnly(moment()),
    views: readOnly(integer({ default: 0, min: 0 })),
    moderated_by: readOnly(relation('users')),
    // Time of the author's only appeal against a rejection of the trading post.
    appealed_at: moment({ readOnly: true, private: true }),
  },
  list: {
    columns: ['title', 'price', 'region', 'user', 'status', 'createdAt'],
    extraFields: [
      'currency',
      'unit',
      'negotiable',
      'district',
      'tradingpostcategory',
      'version',
      'edit_state',
      'edit_at',
      'waiting_since',
    ],
    subtitle: 'tradingposttype',
    modes: ['list', 'thumb', 'image'],
    leadPicture: 'mainPhoto',
    segments: 'status',
    search: ['title', 'description', 'phone'],
    filters: ['status', 'tradingposttype', 'tradingpostcategory', 'product', 'region', 'district', 'delivery'],
    sort: 'createdAt',
    sortable: ['views', 'expires_at', 'waiting_since'],
  },
  form: {
    sections: [
      { name: 'text', fields: ['title', 'description'] },
      { name: 'details', fields: ['tradingposttype', 'tradingpostcategory', 'product', 'user', 'company'] },
      { name: 'price', fields: ['price', 'currency', 'negotiable', 'amount', 'unit'] },
      { name: 'place', fields: ['region', 'district', 'delivery', 'phone'] },
      { name: 'decision', fields: ['status', 'reason', 'public_note', 'staff_note'] },
    ],
    aside: ['mainPhoto', 'images'],
  },
  access: {
    read: { authenticated: { rows: { $or: [{ status: 'processed' }, ownPosts] } }, admin: true },
    create: { authenticated: { fields: authorFields }, admin: true },
    update: { authenticated: { rows: ownPosts, fields: [...authorFields, 'status', 'reason'] }, admin: true },
    remove: { authenticated: { rows: ownPosts }, admin: true },
  },
})
