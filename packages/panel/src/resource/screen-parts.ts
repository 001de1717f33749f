/** The slots of the shared screens that a screen may fill in its own way; everything else stays shared. */
import type { Entry, Locale, MessageId, Resource, Screen } from '@dala/model'
import type { ComponentType, ReactNode } from 'react'
import type { Query } from '../api/query-string.ts'
import type { FieldInputProps } from '../fields/field-input.tsx'
import type { Translate } from '../lib/format.ts'
import type { MenuParts } from '../ui/overlays/menu.tsx'
import type { ResourceForm } from './form/use-resource-form.ts'
import type { OwnFilters } from './list/list-session.ts'
import type { Address } from './screen-address.ts'
import type { ResourceList } from './list/use-resource-list.ts'

export interface CellProps {
  resource: Resource
  entry: Entry
  value: unknown
}

/** Slots of a list. */
export interface ListSlots {
  /** Components of columns, by field. */
  cells?: Readonly<Record<string, ComponentType<CellProps>>>
  /** Columns that are not fields, by the column that they follow; `cells` renders them. */
  after?: Readonly<Record<string, string>>
  /** Drawing shown in place of a missing picture, with its size in pixels. */
  Figure?: ComponentType<{ entry: Entry; size: number }>
  /** Few records have a picture: on a page where none has one, no placeholder is shown. */
  hidesMissingPictures?: true
  /** Card of a record in the picture modes. */
  Card?: ComponentType<{ screen: Screen; entry: Entry; language: Locale; mode: 'thumb' | 'image'; menu: ReactNode }>
  /** Content between the head and the sheet of the list. */
  Above?: ComponentType<{ screen: Screen; list: ResourceList }>
  /** Component that replaces the segments of the filter row. */
  Segments?: ComponentType<{ screen: Screen; list: ResourceList }>
  /** The segments take most of the row, so the display mode is beside the columns. */
  hasWideSegments?: true
  /** The content of an import from here, where it is not rows of the list. */
  imports?: Resource
  /** Beside the sheet where there is space for both; elsewhere the screen offers it in another way. */
  Beside?: ComponentType<{ screen: Screen }>
  /** The label of a text that a field is filtered by, where the text itself is a technical name. */
  textLabels?: Readonly<Record<string, (text: string) => string>>
  /** Actions beside "Add new". */
  Actions?: ComponentType<{ screen: Screen; list: ResourceList }>
  /** Further actions on selected rows: for those that were selected one by one. */
  Selected?: ComponentType<{ entries: readonly Entry[]; className: string; onDone: () => void }>
  /** Further items of a row's menu. */
  rowItems?: (entry: Entry, menu: MenuParts) => ReactNode
  /** Conditions in addition to those of the address. */
  filters?: Query
  /** Conditions from keys that only this screen has in the address: those of its own segments. */
  filtersOf?: OwnFilters
  /** Initial values of a new record. */
  preset?: Readonly<Record<string, string>>
  /** Title of the list, where it is not the screen's title. */
  title?: string
  /** Sentence below the title, where it is not the screen's. */
  about?: MessageId
}

export interface FormSlotProps {
  form: ResourceForm
  record: Entry | null
  language: Locale
}

/** Place of a form within another page, which has the title, and the breadcrumbs. */
export interface FormPane {
  /** Search parameter that names the open record: another value of it leaves the form. */
  recordKey: string
  /** Search parameter of the edited language; that of a whole page is `lang`. */
  languageKey: string
}

/** Slots of a form. */
export interface FormSlots {
  /** Wraps the form, and passes on the declaration as configured on this server. */
  Around?: ComponentType<{ screen: Screen; children: (screen: Screen) => ReactNode }>
  /** Inputs of fields, by name. */
  inputs?: Readonly<Record<string, ComponentType<FieldInputProps & FormSlotProps>>>
  /** Fields that this form does not show. */
  without?: readonly string[]
  /** Whether a field is shown, by the typed shared values; hidden ones keep their value. */
  isShown?: (name: string, shared: Readonly<Record<string, unknown>>) => boolean
  /** Content above the declared fields beside the form. */
  Aside?: ComponentType<FormSlotProps>
  /** Actions beside the language and the menu of the head. */
  Actions?: ComponentType<FormSlotProps>
  /** A new record opens its page after it is saved, not its form. */
  opensPage?: true
  /** The address to open after the record was deleted, when that is not the list. */
  homeOf?: (record: Entry) => string
  /** Content below the form, above the save bar. */
  Below?: ComponentType<FormSlotProps>
}

export interface OverviewProps {
  screen: Screen
  record: Entry
}

/** Slot for a note below the screen's entry in the section menu. */
export interface MenuNoteProps {
  screen: Screen
  /** Called when the note navigates away: a menu over the page closes. */
  onGo?: () => void
}

/** Slots of the page that shows a record. */
export interface OverviewSlots {
  /** Title of the page, where the record's name is too long for a title. */
  titleOf?: (t: Translate, record: Entry) => string
  /** The head is one line: the page is a sheet that needs the height. */
  isDense?: boolean
  /** In a wide window the page ends at its lower edge: its parts scroll in themselves. */
  fillsWindow?: boolean
  /** Page below its head. */
  Overview: ComponentType<OverviewProps>
  /** Photo or logo before the title. */
  Lead?: ComponentType<{ record: Entry }>
  /** Details of the record in one line below the title. */
  Line?: ComponentType<{ record: Entry }>
  /** Actions beside the button "Edit" of a record page. */
  Actions?: ComponentType<OverviewProps>
  /**
   * Duplicates a record together with its parts and returns the address of the new record; a form with its
   * values opens when absent.
   */
  duplicate?: (record: Entry) => Promise<Address>
}
