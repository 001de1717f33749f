/** The kinds that link to other records: to-one, to-many, one picture, several pictures, and a count. */
import type { FieldOptions } from './kind.ts'

export interface LinkOptions extends FieldOptions {
  /** Field of the target that shows the same link from the other side. */
  inverse?: string
  /**
   * Effect on the record with the link when the target is deleted: the link is cleared, the delete is
   * refused, the record is deleted too, or the number stays as it was.
   */
  onDelete?: 'clear' | 'restrict' | 'cascade' | 'keep'
  /**
   * Whether the target of the link is the parent of this record (a district's region, a lesson group's
   * course). A record that links to both must agree, and gets the parent of its child when it names none
   * (content-model §3).
   */
  parent?: true
  /**
   * Whether the server sets the link to the caller: `always`, or `unlessStaff`, because staff may name
   * another user (content-model §8).
   */
  setToCaller?: 'always' | 'unlessStaff'
}
export interface PictureOptions extends FieldOptions {
  /** Size that the cropper saves for the picture field (requirements §9). */
  preset?: 'avatar' | 'patent' | 'passport' | 'banner' | 'image' | '4x3'
}
interface ManyOptions {
  /** Maximum number of records in the list (a trading post's pictures, content-model §8). */
  maxItems?: number
}

/** Declares a link to one record of `target`. */
export const relation = <const T extends string, const O extends LinkOptions>(target: T, options?: O) =>
  ({ kind: 'relation', target, ...(options as O) }) as const
/** Links to several records of `target`; with `inverse` the other side of a to-one or to-many link. */
export const relations = <const T extends string, const O extends LinkOptions & ManyOptions>(target: T, options?: O) =>
  ({ kind: 'relations', target, ...(options as O) }) as const
/** Declares a field with one picture. */
export const picture = <const O extends PictureOptions>(options?: O) =>
  ({ kind: 'picture', target: 'uploads', ...(options as O) }) as const
/** Declares a field with several pictures in order. */
export const pictures = <const O extends PictureOptions & ManyOptions>(options?: O) =>
  ({ kind: 'pictures', target: 'uploads', ...(options as O) }) as const
/** A read-only number of the records of `target` that link to the record by their field `by`. */
export const countOf = <const T extends string, const B extends string>(target: T, linkField: B) =>
  ({ kind: 'count', target, by: linkField, readOnly: true }) as const

export interface ToOneField extends LinkOptions, PictureOptions {
  kind: 'relation' | 'picture'
  target: string
}
export interface ToManyField extends LinkOptions, PictureOptions, ManyOptions {
  kind: 'relations' | 'pictures'
  target: string
}
export interface CountField extends FieldOptions {
  kind: 'count'
  target: string
  by: string
}

/** Display and input components of the kinds that link to records. */
export const linkKinds = {
  relation: { display: 'related', input: 'related' },
  relations: { display: 'relatedList', input: 'relatedList' },
  picture: { display: 'picture', input: 'picture' },
  pictures: { display: 'pictures', input: 'pictures' },
  count: { display: 'number', input: 'none' },
} as const
