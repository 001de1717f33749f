/** Reads a trading post with its waiting edit, as it would be published. */
import type { Locale } from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Queries } from '../../db/database.ts'
import { readEdit, type StoredEdit } from '../../domain/market/post-edits.ts'

interface PostText {
  locale: Locale
  title: string
  description: string | null
}

/** Trading post under review, with links as documents. */
export interface Subject {
  document: number
  user: number | null
  status: string
  price: number | null
  currency: string | null
  phone: string | null
  unit: number | null
  product: number | null
  region: number | null
  texts: readonly PostText[]
  /** Documents of the trading post's main picture and of the others. */
  pictures: readonly number[]
  edit: (StoredEdit & { state: 'waiting' | 'returned'; at: string }) | undefined
}

interface StoredSubject extends Omit<Subject, 'edit'> {
  edit_state: 'waiting' | 'returned' | null
  edit_at: string | null
  main: number | null
  others: readonly number[]
}

const numberOrDefault = (value: unknown, defaultNumber: number | null) =>
  value === null || value === undefined ? defaultNumber : Number(value)

/** Reads a trading post with its edit; undefined for an unknown post. */
export async function readSubject(queries: Queries, document: number): Promise<Subject | undefined> {
  const [post] = await queries.query(sql<StoredSubject>`
    select d.id as document, d.user_id as "user", d.status, d.price::float8 as price, d.currency, d.phone, d.unit_id as unit,
           d.product_id as product, coalesce(d.region_id, (select region_id from districts where id = d.district_id)) as region,
           d.edit_state, d.edit_at, d."mainPhoto_id" as main,
           (select json_agg(json_build_object('locale', t.locale, 'title', t.title, 'description', t.description) order by t.id)
              from tradinposts_texts t where t.document_id = d.id) as texts,
           (select coalesce(json_agg(i.target_id order by i.position), '[]') from tradinposts_images i where i.holder_id = d.id) as others
      from tradinposts d where d.id = ${document}`)
  if (!post) return undefined
  const { edit_state, edit_at, main: mainPicture, others, texts, ...otherFields } = post
  const foundEdit = await readEdit(queries, document)
  const edit = foundEdit && { ...foundEdit, state: edit_state ?? 'returned', at: edit_at ?? foundEdit.created_at }
  const sharedEdit = (edit_state === 'waiting' && foundEdit?.content.shared) || {}
  const writtenTexts = (edit_state === 'waiting' && foundEdit?.content.texts) || {}
  const images = Array.isArray(sharedEdit.images) ? sharedEdit.images.map(Number) : others
  const firstPicture = numberOrDefault('mainPhoto' in sharedEdit ? sharedEdit.mainPhoto : mainPicture, null)
  return {
    ...otherFields,
    price: 'price' in sharedEdit ? numberOrDefault(sharedEdit.price, null) : otherFields.price,
    currency: typeof sharedEdit.currency === 'string' ? sharedEdit.currency : otherFields.currency,
    phone: 'phone' in sharedEdit ? (typeof sharedEdit.phone === 'string' ? sharedEdit.phone : null) : otherFields.phone,
    unit: 'unit' in sharedEdit ? numberOrDefault(sharedEdit.unit, null) : otherFields.unit,
    texts: texts.map((text) => ({ ...text, ...(writtenTexts[text.locale] as Partial<PostText> | undefined) })),
    pictures: [...(firstPicture === null ? [] : [firstPicture]), ...images],
    edit,
  }
}
