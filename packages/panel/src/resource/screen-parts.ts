/** The parts of the shared screens that a screen may draw in its own way; everything else stays shared. */
import type { Entry, Locale, MessageId, Resource, Screen } from '@dala/model'
import type { ComponentType, ReactNode } from 'react'
import type { Query } from '../api/query-string.ts'
import type { FieldInputProps } from '../fields/field-input.tsx'
import type { Translate } from '../lib/format.ts'
import type { MenuParts } from '../ui/overlays/menu.tsx'
import type { ResourceForm } from './form/use-resource-form.ts'
import type { OwnFilters } from './list/list-session.ts'
import type { ResourceList } from './list/use-resource-list.ts'

export interface CellProps {
  resource: Resource
  entry: Entry
  value: unknown
}

/** Of a list. */
export interface ListParts {
  /** Columns drawn by a component of their own, by field. */
  cells?: Readonly<Record<string, ComponentType<CellProps>>>
  /** Columns that are no fields, by the column they stand behind; `cells` draws them. */
  after?: Readonly<Record<string, string>>
  /** Drawn in place of a picture that a record lacks, so many pixels wide. */
  Figure?: ComponentType<{ entry: Entry; size: number }>
  /** Few records have a picture: nothing stands for it on a page where none has one. */
  sparse?: true
  /** A card of the picture modes. */
  Card?: ComponentType<{ screen: Screen; entry: Entry; language: Locale; mode: 'thumb' | 'image'; menu: ReactNode }>
  /** Between the head and the sheet. */
  Above?: ComponentType<{ screen: Screen; list: ResourceList }>
  /** Instead of the segments of the filter row. */
  Segments?: ComponentType<{ screen: Screen; list: ResourceList }>
  /** They take most of the row: the display mode stands with the columns, and no filter beside them. */
  crowded?: true
  /** What an import from here brings, where it is not rows of the list. */
  imports?: Resource
  /** Beside the sheet where there is room for both; elsewhere the screen has another way to it. */
  Beside?: ComponentType<{ screen: Screen }>
  /** The words of a text that a field is filtered by, where the text itself is a name of the program. */
  worded?: Readonly<Record<string, (text: string) => string>>
  /** Beside "Add new". */
  Actions?: ComponentType<{ screen: Screen; list: ResourceList }>
  /** Beside what is offered for selected rows: for those that were chosen one by one. */
  Selected?: ComponentType<{ entries: readonly Entry[]; className: string; onDone: () => void }>
  /** Further entries of a row's menu. */
  rowItems?: (entry: Entry, parts: MenuParts) => ReactNode
  /** Conditions that hold beside those of the address. */
  filters?: Query
  /** Conditions of keys that the list itself does not have in the address: those of its own segments. */
  filtersOf?: OwnFilters
  /** What a new record starts with. */
  preset?: Readonly<Record<string, string>>
  /** The list's title, where it is not the screen's. */
  title?: string
  /** The sentence below it, likewise. */
  about?: MessageId
}

export interface FormPartProps {
  form: ResourceForm
  record: Entry | null
  language: Locale
}

/** Of a form. */
export interface FormParts {
  /** Around all of it: hands on the declaration as it holds on this server. */
  Around?: ComponentType<{ screen: Screen; children: (screen: Screen) => ReactNode }>
  /** Fields edited by a component of their own, by name. */
  inputs?: Readonly<Record<string, ComponentType<FieldInputProps & FormPartProps>>>
  /** Fields that this form does not show. */
  without?: readonly string[]
  /** Whether a field is shown, by the shared values as they are typed; hidden ones keep their value. */
  isShown?: (name: string, shared: Readonly<Record<string, unknown>>) => boolean
  /** Above the declared fields beside the form. */
  Aside?: ComponentType<FormPartProps>
  /** Beside the language and the menu of the head. */
  Actions?: ComponentType<FormPartProps>
  /** A new record is read, not edited on, once it is saved. */
  opensPage?: true
  /** Where one goes when the record was deleted, when that is not the list. */
  homeOf?: (record: Entry) => string
  /** Below the form, above the bar that saves. */
  Below?: ComponentType<FormPartProps>
}

export interface OverviewProps {
  screen: Screen
  record: Entry
}

/** Of a note below the screen's entry in the section menu. */
export interface MenuNoteProps {
  screen: Screen
  /** The note leads away: a menu that is laid over the page closes. */
  onGo?: () => void
}

/** Of the page on which a record is read. */
export interface OverviewParts {
  /** The page's title, where the record's name is too long for one. */
  titleOf?: (t: Translate, record: Entry) => string
  /** Its head is one line: the page is a sheet that needs the height. */
  dense?: boolean
  /** The page below its head. */
  Overview: ComponentType<OverviewProps>
  /** Before the title: a photo, a logo. */
  Lead?: ComponentType<{ record: Entry }>
  /** Below the title: what is true of the record in one line. */
  Line?: ComponentType<{ record: Entry }>
  /** Beside "Edit". */
  Actions?: ComponentType<OverviewProps>
}
