/** The kinds that point at other records: to-one, to-many, one picture, several pictures, and a count of them. */
import type { FieldOptions } from './kind.ts'

export interface LinkOptions extends FieldOptions {
  /** Field of the target that shows the same link from the other side. */
  inverse?: string
  /** What happens to the holder of the link when the target goes: the link empties, the delete is refused, the holder goes too, or the number stays as it was written. */
  onDelete?: 'clear' | 'restrict' | 'cascade' | 'keep'
  /**
   * The target is the whole this record is a part of (a district's region, a lesson group's course): a record that
   * links to both must agree, and takes the whole of its part when it names none (content-model §3).
   */
  whole?: true
  /** The link is the caller: `always`, or `unlessStaff`, who may name somebody else (content-model §8). */
  caller?: 'always' | 'unlessStaff'
}
export interface PictureOptions extends FieldOptions {
  /** Size the cropper saves for this field (requirements §9). */
  preset?: 'avatar' | 'patent' | 'passport' | 'banner' | 'image' | '4x3'
}
interface ManyOptions {
  /** How many records the list may hold (a trading post's pictures, content-model §8). */
  maxItems?: number
}

/** A link to one record of `target`. */
export const relation = <const T extends string, const O extends LinkOptions>(target: T, options?: O) =>
  ({ kind: 'relation', target, ...(options as O) }) as const
/** Links to several records of `target`; mirrors a to-one or another to-many when `inverse` names it. */
export const relations = <const T extends string, const O extends LinkOptions & ManyOptions>(target: T, options?: O) =>
  ({ kind: 'relations', target, ...(options as O) }) as const
/** One picture. */
export const picture = <const O extends PictureOptions>(options?: O) =>
  ({ kind: 'picture', target: 'uploads', ...(options as O) }) as const
/** Several pictures in order. */
export const pictures = <const O extends PictureOptions & ManyOptions>(options?: O) =>
  ({ kind: 'pictures', target: 'uploads', ...(options as O) }) as const
/** How many records of `target` point here by their field `by`; read-only. */
export const countOf = <const T extends string, const B extends string>(target: T, by: B) =>
  ({ kind: 'count', target, by, readOnly: true }) as const

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

/** Display and input of the kinds that point at records. */
export const linkKinds = {
  relation: { display: 'related', input: 'related' },
  relations: { display: 'relatedList', input: 'relatedList' },
  picture: { display: 'picture', input: 'picture' },
  pictures: { display: 'pictures', input: 'pictures' },
  count: { display: 'number', input: 'none' },
} as const
